import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { members } from '../../db/members.tables.ts'
import { priceOf, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { addressSubject } from '../payments/customers/account-reference.rules.ts'
import { eraseMember } from './erase-member.service.ts'

const sandbox = await sandboxOfFile()

const secret = 'a secret of at least 32 characters'
const cent = { plan: priceOf('0.01') }

async function vendor() {
  const world = await termsVendor(sandbox)
  const erase = (email: string, dryRun = false) =>
    eraseMember(world.db, { email, secret, pastDueDays: 21, dryRun, now: world.deps.clock() })
  return { ...world, erase }
}

test('nobody is erased whom PayPal goes on to bill for what waits, and it is named, in a dry run too', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: cent })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ memberId: world.buyer.id, isProven: true }])

  const obstacles = [{ kind: 'purchase_being_checked', objectId: id, provider: 'paypal' }]
  expect(await world.erase(world.buyer.email, true)).toEqual({ kind: 'refused', obstacles })
  expect(await world.erase(world.buyer.email)).toEqual({ kind: 'refused', obstacles })
  expect(await world.waiting(id)).toMatchObject([{ memberId: world.buyer.id }])

  const [sale = ''] = await world.sales(id)
  await world.refund(sale)
  await world.sync(id)
  expect(await world.erase(world.buyer.email)).toEqual({ kind: 'refused', obstacles })
  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Asked to be erased' })
  await world.sync(id)
  expect(await world.erase(world.buyer.email)).toMatchObject({ kind: 'erased', purchases: [] })
})

test('what waits and only an address made the person’s stays there, is named, and does not come back with the address', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: world.buyer.email, more: cent })
  await world.sync(id)
  const [{ email = '' } = {}] = await world.waiting(id)
  expect(await world.waiting(id)).toMatchObject([{ memberId: world.buyer.id, isProven: false }])

  expect(await world.erase(world.buyer.email)).toMatchObject({ kind: 'erased', purchases: [id] })
  await world.sync(id)
  const [after] = await world.waiting(id)
  expect(email).not.toBe('')
  expect(after).toMatchObject({ email: '', memberId: null })
})

test('the address by which what waits would be found is gone, and does not come back', async () => {
  await using world = await vendor()
  const email = `${randomUUID()}@example.test`
  const id = await world.buy({ customId: email })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', addressSubjects: [addressSubject(email)] }])

  await world.member({ email })
  expect(await world.erase(email)).toMatchObject({ kind: 'erased' })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', addressSubjects: [''] }])
})

test('the address that the shop has signed still finds what waits once the one that was typed is erased', async () => {
  await using world = await vendor()
  const signed = `${randomUUID()}@example.test`
  const id = await world.buy({ customId: world.referenceTo(addressSubject(signed)) })
  await world.sync(id)
  const [{ email: typed = '' } = {}] = await world.waiting(id)
  const subjects = async () => (await world.waiting(id)).flatMap(({ addressSubjects }) => addressSubjects ?? []).sort()
  expect(await subjects()).toEqual([addressSubject(typed), addressSubject(signed)].sort())

  await world.member({ email: typed })
  expect(await world.erase(typed)).toMatchObject({ kind: 'erased' })
  await world.sync(id)
  expect(await subjects()).toEqual(['', addressSubject(signed)])
})

test('nor is anybody to whom the operator has linked what was not read since; of nobody, it is listed again', async () => {
  await using world = await vendor()
  const { buyer, db } = world
  const id = await world.buy({ customId: `${randomUUID()}@example.test` })
  await world.sync(id)
  const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([buyer.email, id])
  expect(await run?.(db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: await sandbox.now() })).toBe(0)
  const obstacles = [{ kind: 'purchase_being_checked', objectId: id, provider: 'paypal' }]
  expect(await world.erase(buyer.email)).toEqual({ kind: 'refused', obstacles })

  // As an erasure of an earlier version has left it.
  await db.update(members).set({ erasedAt: new Date() }).where(eq(members.id, buyer.id))
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'no_member', acceptedAt: null }])
})
