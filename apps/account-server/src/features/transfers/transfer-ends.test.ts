import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { type Sandbox, startSandbox } from '../../test/sandbox.ts'
import { transfersIn } from '../../test/transfers.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

let sandbox: Sandbox
beforeAll(async () => {
  sandbox = await startSandbox()
})
afterEach(() => {
  vi.restoreAllMocks()
})
afterAll(async () => {
  await sandbox[Symbol.asyncDispose]()
})

async function people() {
  const world = await cardVendor(sandbox)
  const recipient = await world.member({ firstName: 'Grace' })
  return { ...world, ...transfersIn(world), recipient }
}
const endOf = async (id: string) =>
  (await sandbox.stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0

test('a year paid by the month that ends later: the old Owner is not charged for another month, and it ends with what is paid', async () => {
  await using world = await people()
  const id = await world.buy()
  const end = await endOf(id)
  await sandbox.stripe.subscriptions.update(id, { cancel_at: end + 120 * 86_400, proration_behavior: 'none' })
  await world.sync(id)
  expect((await world.transfer(world.buyer, world.recipient)).status).toBe(200)
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  const old = await sandbox.stripe.subscriptions.retrieve(id)
  expect(old.cancel_at).toBeLessThanOrEqual(end)
  expect((await world.stored(id)).cancelAt).toEqual(new Date(end * 1000))
})

test('without a card, time that the old Owner paid meanwhile is granted', async () => {
  await using world = await people()
  const id = await world.buy()
  const { endMoved } = world.deps.cards
  const later = new Date((await endOf(id)) * 1000 + 30 * 86_400_000)
  vi.spyOn(world.deps.cards, 'endMoved').mockImplementationOnce(async (one) => ({
    ...(await endMoved(one)),
    periodEnd: later,
  }))
  expect((await world.transfer(world.buyer, world.recipient)).status).toBe(200)
  const row = await world.stored(id)
  expect(row.cancelAt).toEqual(later)
})

test('what a file brought, and was not read at the provider yet, ends there as well, and comes back to nobody', async () => {
  await using world = await people()
  const id = await world.buy()
  const unread = { providerId: null, providerItems: [], syncNumber: 0 }
  await world.db.update(subscriptions).set(unread).where(eq(subscriptions.id, id))
  expect((await world.transfer(world.buyer, world.recipient)).status).toBe(200)
  await world.sync(id)
  const { memberId, providerId, autoRenew } = await world.stored(id)
  expect([memberId, providerId, autoRenew]).toEqual([world.recipient.id, null, false])
  expect((await sandbox.stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true)
})

test('a repeated answer says nothing of what the recipient did since', async () => {
  await using world = await people()
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  const key = randomUUID()
  const first = await world.use(world.buyer, world.recipient.email, codes, key)
  expect(first.status).toBe(200)
  await world.db.update(subscriptions).set({ userCount: 250 }).where(eq(subscriptions.id, id))
  const again = await world.use(world.buyer, world.recipient.email, codes, key)
  expect(again.body.moved).toEqual(first.body.moved)
})
