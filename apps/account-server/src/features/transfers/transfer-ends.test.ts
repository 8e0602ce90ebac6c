import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { cardTransfer } from '../../test/card-transfer.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

/** Moves the provider's clock. */
async function advance(seconds: number): Promise<void> {
  const reply = await fetch(`${sandbox.url}/clock/control/advance/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  })
  expect(reply.status).toBe(200)
}

const endOf = async (id: string) =>
  (await sandbox.stripe.subscriptions.retrieve(id)).items.data[0]?.current_period_end ?? 0

test('a year paid by the month that ends later: the old Owner is not charged for another month, and it ends with what is paid', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const end = await endOf(id)
  await sandbox.stripe.subscriptions.update(id, { cancel_at: end + 120 * 86_400, proration_behavior: 'none' })
  await world.sync(id)
  expect((await world.transfer()).status).toBe(200)
  for (let round = 0; round < 3; round += 1) await world.reconcileAfter(60)
  const old = await sandbox.stripe.subscriptions.retrieve(id)
  expect(old.cancel_at).toBeLessThanOrEqual(end)
  expect((await world.stored(id)).cancelAt).toEqual(new Date(end * 1000))
})

test('without a card, time that the old Owner paid meanwhile is granted', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy({ trial_period_days: 7 })
  const { endMoved } = world.deps.cards
  vi.spyOn(world.deps.cards, 'endMoved').mockImplementationOnce(async (one) => {
    await sandbox.stripe.subscriptions.update(one, { trial_end: 'now' })
    return endMoved(one)
  })
  expect((await world.transfer()).status).toBe(200)
  const row = await world.stored(id)
  expect(row.cancelAt).toEqual(new Date((await endOf(id)) * 1000))
  expect(row.cancelAt?.getTime()).toBeGreaterThan(Date.now() + 20 * 86_400_000)
})

test('what a file brought, and was not read at the provider yet, ends there as well, and comes back to nobody', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const unread = { providerId: null, providerItems: [], syncNumber: 0 }
  await world.db.update(subscriptions).set(unread).where(eq(subscriptions.id, id))
  expect((await world.transfer()).status).toBe(200)
  await world.sync(id)
  const { memberId, providerId, autoRenew } = await world.stored(id)
  expect([memberId, providerId, autoRenew]).toEqual([world.recipient.id, null, false])
  expect((await sandbox.stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true)
})

test('a repeated answer says nothing of what the recipient did since', async () => {
  await using world = await cardTransfer(sandbox, { hasCard: false })
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  const key = randomUUID()
  const first = await world.use(world.buyer, world.recipient.email, codes, key)
  expect(first.status).toBe(200)
  await world.db.update(subscriptions).set({ userCount: 250 }).where(eq(subscriptions.id, id))
  const again = await world.use(world.buyer, world.recipient.email, codes, key)
  expect(again.body.moved).toEqual(first.body.moved)
})

test('a trial that is longer than an interval goes on with the recipient’s card, and is their trial until then', async () => {
  await using world = await cardTransfer(sandbox)
  const id = await world.buy({ trial_period_days: 60 })
  const end = await endOf(id)
  expect((await world.transfer()).status).toBe(200)

  const [begun] = await world.begun()
  expect(begun?.items.data[0]?.current_period_end).toBe(end)
  const row = await world.stored(id)
  expect(row).toMatchObject({
    providerId: begun?.id,
    status: 'trialing',
    trialEnd: new Date(end * 1000),
    autoRenew: true,
    cancelAt: null,
  })
  expect(row.periodEnd).toEqual(new Date(end * 1000))
  await world.sync(begun?.id ?? '')
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', trialEnd: new Date(end * 1000) })
  const { data } = await sandbox.stripe.invoices.list({ customer: world.recipientCustomerId })
  expect(data.map(({ total }) => total)).toEqual([0])
})

// Last in this file: it moves the provider's clock.
test('continued only after the paid time has ended, it is charged as a renewal is: a declined card makes it past due', async () => {
  await using world = await cardTransfer(sandbox)
  const id = await world.buy()
  const codes = await world.codesFor(world.buyer, world.recipient)
  const isAway = vi.spyOn(world.deps.cards, 'continueSubscription')
  isAway.mockRejectedValue(new ProviderFailure('unavailable', new Error('away')))
  expect((await world.use(world.buyer, world.recipient.email, codes)).status).toBe(200)
  await world.payWith('pm_card_chargeCustomerFail', world.recipientCustomerId)
  const [late, renewal] = [40 * 86_400, 2 * 3600]
  await advance(late)
  isAway.mockRestore()
  await world.reconcileAfter(late)
  expect(await world.stored(id)).toMatchObject({ status: 'active', autoRenew: true, cancelAt: null })

  await advance(renewal)
  const [begun] = await world.begun()
  await world.sync(begun?.id ?? '')
  expect(begun?.status).toBe('past_due')
  const row = await world.stored(id)
  expect(row).toMatchObject({
    memberId: world.recipient.id,
    providerId: begun?.id,
    status: 'past_due',
    dueAmount: 3000,
  })
})

test('at a price that its vendor has archived since, it ends for the recipient, and both are told so before', async () => {
  await using world = await cardTransfer(sandbox, { hasOwnCatalog: true })
  const id = await world.buy({ term: 'yearly' })
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  await sandbox.stripe.prices.update(items.data[0]?.price.id ?? '', { active: false })
  const { body } = await world.transfer()
  expect(body.moved).toMatchObject([{ fate: 'ends' }])
  await world.reconcileAfter(60)
  const { autoRenew, cancelAt, endedAt } = await world.stored(id)
  expect({ autoRenew, endedAt }).toEqual({ autoRenew: false, endedAt: cancelAt })
  expect((await world.operations()).map(({ kind }) => kind)).not.toContain('subscription.continue_moved')
})
