import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import type { TestMember } from '../../test/world.ts'
import { transfers } from './transfers.tables.ts'

const sandbox = await sandboxOfFile()

/** A month of five seats for $50 that begins on a January 31, and so ends on the last day of February. */
async function monthFromJanuary31() {
  const january = new Date(Date.UTC((await sandbox.now()).getUTCFullYear() + 1, 0, 31, 12))
  await sandbox.advanceTo(january)
  const world = await cardTransfer(sandbox)
  world.at(await sandbox.now())
  const sid = await world.buy({ quantity: 5 })
  const quoteOf = async ({ id }: TestMember) => {
    const member = world.as({ cookie: await world.session(id) })
    return (await member.send(contract.changePlanFrom, { body: { sid, type: 'switch-to-business-billing' } })).body
      .quote
  }
  const credited = async (member: TestMember) =>
    (await quoteOf(member)).lines.flatMap(({ amount }) => (amount < 0 ? [amount] : []))
  // The sessions of a year ago are over.
  const signedIn = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const transferOn = async (from: TestMember, to: TestMember) =>
    expect((await world.transferBetween(await signedIn(from), await signedIn(to))).status).toBe(200)
  return { ...world, credited, transferOn }
}

test('a month that ends on the last day of February credits as much for each of its days after a transfer as before', async () => {
  await using world = await monthFromJanuary31()
  expect(await world.credited(world.buyer)).toEqual([-5000])
  await world.transferOn(world.buyer, world.recipient)
  const [credit = 0] = await world.credited(world.recipient)
  // The two quotes are some minutes apart.
  expect(Math.abs(credit + 5000)).toBeLessThanOrEqual(2)
})

test('so it does for whoever has it next, before anything was billed', async () => {
  await using world = await monthFromJanuary31()
  await world.transferOn(world.buyer, world.recipient)
  await world.reconcileAfter(60)
  // Nobody transfers twice in 30 days.
  await world.db.delete(transfers).where(eq(transfers.recipientId, world.recipient.id))
  const third = await world.member({ firstName: 'Barbara' })
  await world.giveCard(third)
  await world.transferOn(world.recipient, third)
  const [credit = 0] = await world.credited(third)
  expect(Math.abs(credit + 5000)).toBeLessThanOrEqual(2)
})
