import * as contract from '@atrium/contract/plan-changes.ts'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>
const oneMore = { type: 'buy-more', increasingNumber: 1 } as const

const minuteMs = 60_000

/** Moves both clocks to so many minutes after the end of the period in which it was bought, and reads what the provider has then. */
async function readAfterEnd(world: Vendor, id: string, minutes: number) {
  const now = new Date((await endOf(id)).getTime() + minutes * minuteMs)
  await sandbox.advanceTo(now)
  world.at(now)
  await world.sync(id)
  return world
}

/** Of the first period. */
async function endOf(id: string): Promise<Date> {
  const [first] = (await sandbox.stripe.invoices.list({ subscription: id })).data.slice(-1)
  const { data } = await sandbox.stripe.invoices.listLineItems(first?.id ?? '')
  return new Date((data[0]?.period.end ?? 0) * 1000)
}

async function quote(world: Vendor, sid: string) {
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  return caller.send(contract.changePlanFrom, { body: { sid, ...oneMore } })
}

async function commit(world: Vendor, subscriptionId: string, quoteId: string) {
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  return caller.send(contract.changePlan, { body: { subscriptionId, quoteId, ...oneMore } })
}

test('until a renewal is paid nothing is bought within its period', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await readAfterEnd(world, id, 10)
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionStatus: 'active', purchaseAdditionalSubscription: 0 },
  ])
  expect((await quote(world, id)).body.code).toBe('change_not_possible')
  await readAfterEnd(world, id, 90)
  expect((await quote(world, id)).status).toBe(200)
})

test('a renewal that begins while a quote is shown: the quote is not charged', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  const { body } = await quote(world, id)
  await sandbox.advanceTo(new Date((await endOf(id)).getTime() + 10 * minuteMs))
  expect((await commit(world, id, body.quote.quoteId)).status).toBe(409)
  const { data } = await sandbox.stripe.invoices.list({ subscription: id })
  expect(data.map(({ billing_reason: reason }) => reason)).toEqual(['subscription_cycle', 'subscription_create'])
})

test('in the last hour of a period nothing is bought for next to nothing', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await readAfterEnd(world, id, -61)
  const { body } = await quote(world, id)
  expect(body.quote.chargeAmount).toBeGreaterThanOrEqual(0)
  await readAfterEnd(world, id, -59)
  expect((await quote(world, id)).body.code).toBe('change_not_possible')
  expect((await commit(world, id, body.quote.quoteId)).body.code).toBe('change_not_possible')
})

test('a change that the vendor makes in the hour of a renewal hides neither that it is not paid nor that it has failed', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await readAfterEnd(world, id, 10)
  const { items } = await sandbox.stripe.subscriptions.retrieve(id)
  const more = [{ id: items.data[0]?.id ?? '', quantity: 4 }]
  await sandbox.stripe.subscriptions.update(id, { items: more, proration_behavior: 'always_invoice' })
  await readAfterEnd(world, id, 20)
  expect(await world.listed()).toMatchObject([{ userCount: 4, purchaseAdditionalSubscription: 0 }])

  await world.payWith('pm_card_chargeCustomerFail')
  await readAfterEnd(world, id, 120)
  expect((await sandbox.stripe.subscriptions.retrieve(id)).status).toBe('active')
  const [shown] = await world.listed()
  expect(shown).toMatchObject({ stripeSubscriptionStatus: 'past_due' })
  expect(shown?.accessEnd).not.toBe('')

  // The customer pays it: it goes on.
  await world.payWith('pm_card_visa')
  const [open] = (await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data
  await sandbox.stripe.invoices.pay(open?.id ?? '')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionStatus: 'active', purchaseAdditionalSubscription: 1 },
  ])
})

test('what the vendor has written off is not asked for again once something is bought', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy()
  await world.payWith('pm_card_chargeCustomerFail')
  await readAfterEnd(world, id, 120)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
  const [open] = (await sandbox.stripe.invoices.list({ subscription: id, status: 'open' })).data
  await sandbox.stripe.invoices.markUncollectible(open?.id ?? '')
  await world.sync(id)

  await world.payWith('pm_card_visa')
  const { body } = await quote(world, id)
  expect((await commit(world, id, body.quote.quoteId)).body.paymentIntentStatus).toBe('succeeded')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 4, accessEnd: '' }])
})
