import { answerOffered, listOffered } from '@atrium/contract/offered-subscriptions.ts'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { activity } from '../../activity/activity.tables.ts'
import { providerCustomers } from '../../payments/customers/customers.tables.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { findPurchases } from '../purchases.sync.ts'

const sandbox = await sandboxOfFile()

/** Somebody has begun a trial with a member's address. */
async function begun() {
  const world = await cardVendor(sandbox)
  const { stripe, db } = { stripe: sandbox.stripe, db: world.db }
  const customer = await stripe.customers.create({ email: world.buyer.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const lookupKey = `${world.product.code.toLowerCase()}-monthly-usd`
  const [price] = (await stripe.prices.list({ lookup_keys: [lookupKey] })).data
  const trial = await stripe.subscriptions.create({
    ...{ customer: customer.id, items: [{ price: price?.id ?? '' }], trial_period_days: 14 },
    default_payment_method: method,
  })
  await world.sync(trial.id)
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  const offered = async () => (await caller.send(listOffered, {})).body.list
  return {
    ...world,
    ...{ stripe, caller, offered, trialId: trial.id, trialCustomer: customer.id },
    answer: async (isMine: boolean, id?: string) =>
      caller.send(answerOffered, { params: { id: id ?? (await offered())[0]?.id ?? '' }, body: { isMine } }),
    ids: async () => (await world.listed()).map((one) => one.stripeSubscriptionId),
    actions: () => {
      const isBuyers = and(eq(activity.memberId, world.buyer.id), eq(activity.target, trial.id))
      return db.select({ action: activity.action }).from(activity).where(isBuyers)
    },
  }
}

test('a trial that was begun with the member’s address is offered, and listed once they add it', async () => {
  await using world = await begun()
  expect(await world.ids()).toEqual([])
  expect(await world.offered()).toEqual([{ id: expect.any(String), begunAt: expect.any(Number) }])

  expect(await world.answer(true)).toMatchObject({ status: 200, body: { list: [] } })
  expect(await world.ids()).toEqual([world.trialId])
  expect((await world.actions()).map(({ action }) => action)).toContain('subscription.claimed')
  await world.sync(world.trialId)
  expect([await world.ids(), await world.offered()]).toEqual([[world.trialId], []])
})

test('what is not the member’s is not offered again, nor linked once somebody has paid it; the vendor sees it', async () => {
  await using world = await begun()
  expect(await world.answer(false)).toMatchObject({ status: 200, body: { list: [] } })
  expect((await world.actions()).map(({ action }) => action)).toEqual(['subscription.declined'])
  await world.sync(world.trialId)
  expect([await world.ids(), await world.offered()]).toEqual([[], []])

  await world.stripe.subscriptions.update(world.trialId, { trial_end: 'now' })
  const { latest_invoice: invoice } = await world.stripe.subscriptions.retrieve(world.trialId)
  await world.syncInvoice(String(invoice))
  await world.sync(world.trialId)
  await findPurchases(world.deps, world.buyer.id)
  expect(await world.ids()).toEqual([])
  expect((await world.caller.send(listOnlineOrders, { query: {} })).body.list).toEqual([])
  expect(await world.db.$count(providerCustomers, eq(providerCustomers.customerId, world.trialCustomer))).toBe(0)
  const isTrial = eq(unmatchedPurchases.objectId, world.trialId)
  expect(await world.db.select().from(unmatchedPurchases).where(isTrial)).toMatchObject([{ reason: 'not_mine' }])
})

test('what whose address was mistyped has declined is offered to whose it is, once the vendor has corrected the address', async () => {
  await using world = await begun()
  const right = await world.member()
  const offeredToRight = async () => (await world.as(right).send(listOffered, {})).body.list
  expect((await world.answer(false)).status).toBe(200)
  await world.stripe.customers.update(world.trialCustomer, { email: right.email })
  await world.sync(world.trialId)
  expect([await world.offered(), await offeredToRight()]).toMatchObject([[], [{ begunAt: expect.any(Number) }]])

  const [offer] = await offeredToRight()
  const answer = { params: { id: offer?.id ?? '' }, body: { isMine: true } }
  expect((await world.as(right).send(answerOffered, answer)).status).toBe(200)
  const listed = await world.listed(right)
  expect(listed.map((one) => one.stripeSubscriptionId)).toEqual([world.trialId])
  expect(await world.ids()).toEqual([])
})

test('another member’s offer looks like none at all, and is still the member’s to answer', async () => {
  await using world = await begun()
  const [offer] = await world.offered()
  const other = world.as(await world.member())
  const missing = await other.send(answerOffered, { params: { id: crypto.randomUUID() }, body: { isMine: true } })
  const foreign = await other.send(answerOffered, { params: { id: offer?.id ?? '' }, body: { isMine: true } })
  expect([missing.status, missing.body.code]).toEqual([404, 'not_found'])
  expect([foreign.status, foreign.body.code]).toEqual([404, 'not_found'])
  expect((await other.send(listOffered, {})).body.list).toEqual([])
  expect(await world.offered()).toEqual([offer])
})

test('of two answers at once, one counts', async () => {
  await using world = await begun()
  const [offer] = await world.offered()
  const replies = await Promise.all([world.answer(true, offer?.id), world.answer(false, offer?.id)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
})
