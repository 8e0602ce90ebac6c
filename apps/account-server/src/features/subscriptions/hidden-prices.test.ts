import { checkCancelSr, subscriptionCancel, subscriptionRenew } from '@atrium/contract/auto-renewal.ts'
import { checkCoupon } from '@atrium/contract/coupons.ts'
import { enablePooling } from '@atrium/contract/envelope-sharing.ts'
import { finishOverduePayment, payOverdue } from '@atrium/contract/overdue-payments.ts'
import { addPayingCard, changePayingCard, listPayingCards } from '@atrium/contract/paying-cards.ts'
import { planChangeTypes } from '@atrium/contract/plan-change-types.ts'
import * as plans from '@atrium/contract/plan-changes.ts'
import { listSubscriptions, paypalRenewSubscription } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { newSubscription } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type Vendor = Awaited<ReturnType<typeof cardVendor>>

const quoteId = '00000000-0000-4000-8000-000000000000'

/** Seven seats for 70 dollars a month. */
const quantity = 7

/** What names a price: an amount in minor units or as it is written, a currency, or a page that shows it. */
const aPrice = /[:,](7000|1000)\b|70\.00|USD|\$|"(price|amount|dueAmount|chargeAmount|currency)"|invoice/

async function hide(world: Vendor, id: string): Promise<void> {
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, id))
}

/** Seven seats whose first payment after the trial has failed. */
async function overdue(world: Vendor): Promise<string> {
  const id = await world.buy({ quantity, trial_period_days: 7 })
  await world.payWith('pm_card_chargeCustomerFail')
  await sandbox.stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.sync(id)
  return id
}

/** Every call about a subscription, in the order in which it leaves most to say. */
function walk(world: Vendor, sid: string) {
  const as = world.as(world.buyer)
  const due = { amount: 6999, currency: 'USD' }
  return [
    () => as.send(listSubscriptions, { query: {} }),
    () => as.send(listSubscriptions, { query: { status: 'past_due', pageSize: 100 } }),
    () => as.send(payOverdue, { params: { sid }, body: due }),
    () => as.send(payOverdue, { params: { sid }, body: { ...due, paymentMethodId: world.cardId } }),
    () => as.send(finishOverduePayment, { params: { sid } }),
    ...planChangeTypes.flatMap((type) => [
      () => as.send(plans.changePlanFrom, { body: { sid, type } }),
      () => as.send(plans.changePlan, { body: { subscriptionId: sid, quoteId, type } }),
      () => as.send(checkCoupon, { body: { sid, code: 'THANKS20', type } }),
    ]),
    () => as.send(plans.memberPlanPlace, { body: { subscriptionId: sid } }),
    () => as.send(plans.paypalCallBack, { body: { subscriptionId: sid } }),
    () => as.send(paypalRenewSubscription, { body: { sid } }),
    () => as.send(enablePooling, { body: { sid } }),
    () => as.send(checkCancelSr, { body: { sid } }),
    () => as.send(subscriptionCancel, { body: { sid, reasons: [1] } }),
    () => as.send(subscriptionRenew, { body: { sid } }),
  ]
}

test.each([
  ['whose payment failed', overdue],
  ['that is paid', (world: Vendor) => world.buy({ quantity })],
] as const)('no reply about a subscription %s names a price that is hidden', async (_state, begin) => {
  await using world = await cardVendor(sandbox)
  const id = await begin(world)
  const [list] = walk(world, id)
  expect(JSON.stringify((await list?.())?.body)).toMatch(aPrice)

  await hide(world, id)
  for (const [place, call] of walk(world, id).entries()) {
    const { status, body } = await call()
    expect([place, status < 500]).toEqual([place, true])
    expect(JSON.stringify(body), `call ${place}`).not.toMatch(aPrice)
  }
})

test('a failed payment of what a partner sold is said, without a way to pay it here, and the server takes none', async () => {
  await using world = await cardVendor(sandbox)
  const id = await overdue(world)
  await hide(world, id)
  await world.payWith('pm_card_visa')
  expect(await world.listed()).toMatchObject([
    {
      ...{ stripeSubscriptionStatus: 'past_due', isExpiring: 1, accessEnd: expect.stringMatching(/^\d{4}-/) },
      ...{ whetherHiddenPrice: 1, stripeSdkUrl: '', needsConfirmation: 0, payType: '', paymentMethodId: '' },
      ...{ declineReason: '', declinedCard: '' },
    },
  ])
  const pay = (amount: number) =>
    world.as(world.buyer).send(payOverdue, { params: { sid: id }, body: { amount, currency: 'USD' } })
  for (const amount of [7000, 6999]) {
    const { status, body } = await pay(amount)
    expect([status, body]).toMatchObject([409, { code: 'bought_through_partner' }])
    expect(Object.keys(body)).not.toContain('data')
  }
  const paid = (await sandbox.stripe.invoices.list({ subscription: id, status: 'paid' })).data
  expect(paid.filter(({ amount_paid: amount }) => amount > 0)).toEqual([])
})

test.each([
  ['active', {}],
  ['past_due', { pastDueSince: new Date(), dueAmount: 7000, nextAttemptAt: new Date() }],
  ['trialing', { trialEnd: new Date(Date.now() + 86_400_000) }],
] as const)(
  'whoever may not see the price reads the same of what is %s, whether a card pays it or PayPal',
  async (status, facts) => {
    await using world = await newWorld()
    const member = await world.member()
    const priced = { price: 7000, currency: 'USD', isPriceHidden: true, ...facts }
    const { id } = await newSubscription(world, member, { status, ...priced })
    const seen = async () => (await world.as(member).send(listSubscriptions, { query: {} })).body.list
    const byCard = await seen()
    expect(byCard).toMatchObject([{ stripeSubscriptionId: id, stripeSubscriptionStatus: status, payType: '' }])
    await world.db.update(subscriptions).set({ channel: 'paypal', proof: 'signed' }).where(eq(subscriptions.id, id))
    expect(await seen()).toEqual(byCard)
  },
)

test('no card is put on what a partner sold, nor is anything else of its payment decided here', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy({ quantity })
  const own = await sandbox.stripe.paymentMethods.attach('pm_card_mastercard', { customer: world.customerId })
  const as = world.as(world.buyer)
  const params = { sid: id }
  const asked = { type: 'buy-more', increasingNumber: 1 } as const
  const { quote } = (await as.send(plans.changePlanFrom, { body: { sid: id, ...asked } })).body
  await hide(world, id)
  const card = { paymentMethodId: own.id }
  const typed = { paymentMethodId: 'pm_card_visa' }
  const calls = [
    () => as.send(listPayingCards, { params, query: {} }),
    () => as.send(addPayingCard, { params, body: typed }),
    () => as.send(changePayingCard, { params, body: card }),
    () => as.send(payOverdue, { params, body: { amount: 7000, currency: 'USD', ...card } }),
    () => as.send(finishOverduePayment, { params }),
    () => as.send(plans.changePlanFrom, { body: { sid: id, ...asked } }),
    () => as.send(checkCoupon, { body: { sid: id, code: 'THANKS20', type: 'buy-more' } }),
    () => as.send(plans.changePlan, { body: { subscriptionId: id, ...asked, quoteId: quote.quoteId } }),
    () => as.send(plans.memberPlanPlace, { body: { subscriptionId: id } }),
    () => as.send(plans.paypalCallBack, { body: { subscriptionId: id } }),
    () => as.send(paypalRenewSubscription, { body: { sid: id } }),
  ]
  for (const [place, call] of calls.entries()) {
    const { status, body } = await call()
    expect([place, status, body]).toMatchObject([place, 409, { code: 'bought_through_partner' }])
  }
  // What pays for it stays also where it is turned off and on again.
  expect((await as.send(subscriptionCancel, { body: { sid: id, reasons: [1] } })).status).toBe(200)
  const renew = (more: object) => as.send(subscriptionRenew, { body: { sid: id, ...more } })
  expect(await renew(card)).toMatchObject({ status: 409, body: { code: 'bought_through_partner' } })
  expect((await renew({})).status).toBe(200)
  expect((await sandbox.stripe.subscriptions.retrieve(id)).default_payment_method).toBeNull()

  const other = world.as(await world.member())
  expect((await other.send(listPayingCards, { params, query: {} })).status).toBe(404)
})

test('a change whose bank was not answered shows no page of an invoice, once its price is hidden', async () => {
  await using world = await cardVendor(sandbox)
  const id = await world.buy({ quantity })
  await world.payWith('pm_card_authenticationRequired')
  const as = world.as(world.buyer)
  const asked = { type: 'buy-more', increasingNumber: 1 } as const
  const { quote } = (await as.send(plans.changePlanFrom, { body: { sid: id, ...asked } })).body
  await as.send(plans.changePlan, { body: { subscriptionId: id, ...asked, quoteId: quote.quoteId } })
  expect((await world.listed())[0]?.stripeSdkUrl).not.toBe('')
  await hide(world, id)
  expect((await world.listed())[0]?.stripeSdkUrl).toBe('')
})
