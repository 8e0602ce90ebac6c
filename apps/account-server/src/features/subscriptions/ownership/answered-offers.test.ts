import { randomUUID } from 'node:crypto'
import { answerOffered, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { members } from '../../../db/members.tables.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { freeMonths, termsVendor } from '../../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { storedSubscription } from '../subscriptions.queries.ts'

const sandbox = await sandboxOfFile()

test('who has a member’s address later is asked themselves, though the member had added what was not read since', async () => {
  await using world = await termsVendor(sandbox)
  const { db, deps, buyer } = world
  const id = await world.buy({ planId: await world.ownPlan({ trials: [freeMonths(1)] }), customId: buyer.email })
  await world.sync(id)
  const offeredTo = async (member: { id: string }) =>
    (await world.as({ cookie: await world.session(member.id) }).send(listOffered, {})).body.list
  const [offer] = await offeredTo(buyer)
  const away = vi.spyOn(deps.paypal, 'readSubscription')
  away.mockRejectedValue(new ProviderFailure('unavailable', new Error('away')))
  const asked = { params: { id: offer?.id ?? '' }, body: { isMine: true } }
  expect((await world.as({ cookie: await world.session(buyer.id) }).send(answerOffered, asked)).status).toBe(503)
  away.mockRestore()

  await db
    .update(members)
    .set({ email: `${randomUUID()}@example.test` })
    .where(eq(members.id, buyer.id))
  const second = await world.member({ email: buyer.email })
  await world.sync(id)
  expect(await storedSubscription(db, id)).toBeUndefined()
  expect([await offeredTo(second), await offeredTo(buyer)]).toMatchObject([[{}], []])
})
