import { randomUUID } from 'node:crypto'
import { listOnlineOrders } from '@atrium/contract/orders.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { paypalAddLicense } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { payments } from '../../../app.ts'
import {
  approve,
  buyer,
  comeBack,
  halfway,
  order,
  type PaypalVendor,
  quote,
  stored,
  twoMore,
} from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { mailQueue } from '../../mail/mail.writes.ts'
import { changeQuotes } from '../plan-change/change-quotes.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

const sandbox = await sandboxOfFile()
afterEach(async () => {
  vi.restoreAllMocks()
  await sandbox.paypal.control('DELETE', 'faults/')
})

type Vendor = PaypalVendor

const Email = z.object({ subject: z.string(), text: z.string() })

/** Orders of what two more seats cost. */
async function bought(world: Vendor) {
  const { list } = (await (await buyer(world)).send(listOnlineOrders, { query: {} })).body
  return list.filter(({ orderAmount }) => orderAmount === 1000)
}

test('two more seats: approved, captured once, granted at once, and confirmed for the next cycle', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const detail = (await quote(world, id)).body
  expect(detail.quote).toMatchObject({
    chargeAmount: 1000,
    subAmount: 1000,
    taxAmount: 0,
    nextRenewal: { amount: 5000 },
    lines: [
      { kind: 'credit', amount: -1500, quantity: 3 },
      { kind: 'charge', amount: 2500, quantity: 5 },
    ],
  })
  const ordered = (await order(world, id)).body
  expect(ordered).toMatchObject({ payType: 'paypal', paymentIntentStatus: 'requires_action', chargeAmount: 1000 })
  expect((await comeBack(world, id)).body).toMatchObject({ paymentIntentStatus: 'requires_action' })
  expect(await stored(world, id)).toMatchObject({ userCount: 3, pendingPlanId: null })

  await approve(world, ordered.approveUrl)
  const { status, body } = await comeBack(world, id, { invoiceId: ordered.paypalOrderId })
  expect([status, body.paymentIntentStatus]).toEqual([200, 'succeeded'])
  expect(await stored(world, id)).toMatchObject({ userCount: 5, price: 5000, pendingQuantity: 5 })
  const old = { when: 'unconfirmed', userCount: 3, price: 3000 }
  expect(await world.listed()).toMatchObject([{ userCount: 5, paypalRenewConfirm: 1, nextPlan: old }])
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ userCount: 5, nextPlan: old }])
  expect(await bought(world)).toMatchObject([{ orderStatus: 'CO' }])

  // Each answer has a new address for the confirmation.
  const again = await comeBack(world, id)
  expect([again.status, again.body.paymentIntentStatus]).toEqual([200, 'succeeded'])
  await approve(world, again.body.approveLink)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, price: 5000, pendingPlanId: null, nextPlan: null })
})

test('what was granted stays until the end of the period, and without a confirmation the old plan renews', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl } = (await order(world, id)).body
  await approve(world, approveUrl)
  await comeBack(world, id)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ userCount: 5, pendingQuantity: 5 })
  const { periodEnd } = await stored(world, id)
  const earlier = new Date((periodEnd?.getTime() ?? 0) - 3_600_000)
  // Granted in a period that another payment paid for: PayPal has billed since.
  const paidThen = { periodEnd: earlier, paidBy: 'the payment before' }
  await world.db.update(subscriptions).set(paidThen).where(eq(subscriptions.id, id))
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ userCount: 3, price: 3000, pendingPlanId: null })
})

test('the email after a change says until when it is paid, and that it waits for the confirmation', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const emails = () =>
    world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Email.parse(data)] : []))
  emails()
  await approve(world, (await order(world, id)).body.approveUrl)
  const { approveLink } = (await comeBack(world, id)).body
  const [email, ...others] = emails()
  expect([email?.subject, others]).toEqual(['Please confirm your change of Folio PDF Editor+ at PayPal', []])
  const { periodEnd } = await stored(world, id)
  const day = periodEnd?.toLocaleDateString('en-us', { dateStyle: 'long', timeZone: 'UTC' })
  expect(email?.text).toContain(`the change is paid until ${day}`)
  expect(email?.text).toContain('Confirm renewal:')
  // From then on, PayPal still bills what it was.
  expect(email?.text).not.toMatch(/Renews on|\$/)

  await approve(world, approveLink)
  await world.sync(id)
  const [confirmed, ...more] = emails()
  expect([confirmed?.subject, more]).toEqual(['Confirmed: your change of Folio PDF Editor+', []])
  expect(confirmed?.text).toContain(`Renews on: ${day}, for $50.00`)
  // PayPal itself changed it: nothing is left to confirm.
  await world.db.update(subscriptions).set({ userCount: 4 }).where(eq(subscriptions.id, id))
  await world.sync(id)
  expect(emails()).toMatchObject([{ subject: 'Your subscription to Folio PDF Editor+ has changed' }])
})

test('a second change counts from what was granted', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl)
  await comeBack(world, id)
  const again = (await quote(world, id, { type: 'buy-more', increasingNumber: 1 })).body.quote
  expect(again).toMatchObject({ chargeAmount: 500, before: { userCount: 5 }, after: { userCount: 6 } })
  expect(again.nextRenewal?.amount).toBe(6000)
})

test('an upgrade is charged for the rest of the period, and granted', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const upgrade = { type: 'switch-to-business-billing' } as const
  const ordered = (await order(world, id, upgrade)).body
  expect(ordered).toMatchObject({ chargeAmount: 2250, originAppCode: world.productCode, appCode: world.suiteCode })
  await approve(world, ordered.approveUrl)
  const { body } = await comeBack(world, id)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, userCount: 3, price: 7500 })
  await approve(world, body.approveLink)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ productCode: world.suiteCode, price: 7500, pendingPlanId: null })
})

/** The last email that was queued. */
function lastEmail({ sent }: { sent: readonly { queue: string; data: object }[] }) {
  return Email.parse(sent.findLast(({ queue }) => queue === mailQueue)?.data)
}

test('a year begins when PayPal bills next: nothing is charged before', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const annual = { type: 'switch-to-annual-billing' } as const
  expect((await quote(world, id, annual)).body.quote).toMatchObject({
    chargeAmount: 0,
    lines: [],
    nextRenewal: { amount: 28_800, date: (await stored(world, id)).periodEnd?.toISOString() },
  })
  const { body } = await order(world, id, annual)
  expect(body).toMatchObject({ paymentIntentStatus: 'succeeded', chargeAmount: 0, approveUrl: '' })
  expect(await stored(world, id)).toMatchObject({ term: 'monthly', price: 3000, pendingQuantity: 3 })
  const year = { paidType: 'yearly', price: 28_800, userCount: 3, currency: 'USD' }
  expect(await world.listed()).toMatchObject([{ price: 3000, nextPlan: { when: 'confirmed', ...year } }])
  expect(lastEmail(world)).toMatchObject({
    subject: expect.stringContaining('Please confirm at PayPal what begins next'),
  })
  expect(lastEmail(world).text).toMatch(/Annual[\s\S]*\$288\.00/)

  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ nextPlan: { when: 'confirmed' } }])
  await approve(world, body.approveLink)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ term: 'monthly', price: 3000, pendingPlanId: null })
  expect(await world.listed()).toMatchObject([{ price: 3000, nextPlan: { when: 'certain', ...year } }])
  expect(lastEmail(world).subject).toContain('Confirmed: your change')
  expect(lastEmail(world).text).toMatch(/Annual[\s\S]*\$288\.00/)
})

/** What its list says after an answer of PayPal. */
async function listedWith(world: Vendor, id: string, values: Partial<typeof subscriptions.$inferInsert>) {
  await world.db.update(subscriptions).set(values).where(eq(subscriptions.id, id))
  const [listed] = await world.listed()
  return listed
}

test('a year that begins with the next period is not sold once more', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const annual = { type: 'switch-to-annual-billing' } as const
  const { approveLink } = (await order(world, id, annual)).body
  const refused = { status: 409, body: { code: 'change_not_possible' } }
  expect(await world.listed()).toMatchObject([{ switchToAnnualBilling: 0, paypalRenewConfirm: 1 }])
  expect(await quote(world, id, annual)).toMatchObject(refused)

  await approve(world, approveLink)
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ switchToAnnualBilling: 0, paypalRenewConfirm: 0 }])
  expect(await quote(world, id, annual)).toMatchObject(refused)
})

test('a renewal that failed shows the plan that is due, and an end that nothing follows', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveLink } = (await order(world, id, { type: 'switch-to-annual-billing' })).body
  const failed = { status: 'past_due', pastDueSince: world.deps.clock() } as const
  // Not confirmed in time: the month is due.
  expect(await listedWith(world, id, { ...failed, dueAmount: 3000 })).not.toHaveProperty('nextPlan')

  await listedWith(world, id, { status: 'active', pastDueSince: null, dueAmount: null })
  await approve(world, approveLink)
  await world.sync(id)
  const year = { when: 'certain', paidType: 'yearly', price: 28_800 }
  expect(await listedWith(world, id, { ...failed, dueAmount: 28_800 })).toMatchObject({ nextPlan: year })
  const ended = { status: 'canceled', dueAmount: null, endedAt: world.deps.clock() } as const
  expect(await listedWith(world, id, ended)).not.toHaveProperty('nextPlan')
})

test('seats that were not confirmed in time: the old plan is due', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl)
  await comeBack(world, id)
  const failed = { status: 'past_due', pastDueSince: world.deps.clock(), dueAmount: 3000 } as const
  expect(await listedWith(world, id, failed)).toMatchObject({
    ...{ userCount: 5, dueAmount: 3000 },
    nextPlan: { when: 'certain', userCount: 3, price: 3000 },
  })
})

test('PayPal’s event alone finishes what was approved, whichever comes first, and twice', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  const hear = () => payments.syncs.paypal['checkout-order']?.(world.deps, paypalOrderId)
  await hear()
  expect((await stored(world, id)).userCount).toBe(3)
  await approve(world, approveUrl)
  await Promise.all([hear(), hear(), comeBack(world, id)])
  expect((await stored(world, id)).userCount).toBe(5)
  const { purchase_units: units } = await world.call('GET', `/v2/checkout/orders/${paypalOrderId}`)
  const [captureId = ''] = JSON.stringify(units).match(/(?<="captures":\[\{"id":")\w+/) ?? []
  const tell = () => payments.syncs.paypal.capture?.(world.deps, captureId)
  await Promise.all([tell(), tell()])
  expect(await bought(world)).toMatchObject([{ orderStatus: 'CO' }])
})

test('a payment that PayPal cannot take changes nothing, and the next try is another order', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl, 'no-funds')
  const declined = { code: 'payment_declined', data: { type: 'buy-more', increasingNumber: 2 } }
  expect(await comeBack(world, id)).toMatchObject({ status: 402, body: declined })
  expect((await stored(world, id)).userCount).toBe(3)
  await approve(world, (await order(world, id)).body.approveUrl)
  expect((await comeBack(world, id)).status).toBe(200)
  expect((await stored(world, id)).userCount).toBe(5)
})

test('PayPal’s page leads back with what was done there', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const createOrder = vi.spyOn(world.deps.paypal, 'createOrder')
  await order(world, id)
  const { returnUrl = '', cancelUrl = '' } = createOrder.mock.calls[0]?.[0] ?? {}
  const typeIn = (url: string) => new URL(url).searchParams.get('discount_biz_type')
  expect([returnUrl, cancelUrl].map(typeIn)).toEqual(['change', 'change-canceled'])
})

test('an order that nobody approved gives way to the next, as its quote says, and is not captured any more', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  expect((await quote(world, id)).body).not.toHaveProperty('openOrderAmount')
  const first = (await order(world, id)).body
  expect((await quote(world, id)).body.openOrderAmount).toBe(1000)
  const second = await order(world, id)
  expect([second.status, second.body.paypalOrderId === first.paypalOrderId]).toEqual([200, false])
  await approve(world, first.approveUrl)
  expect((await comeBack(world, id, { invoiceId: first.paypalOrderId })).body.code).toBe('nothing_to_finish')
  expect((await comeBack(world, id)).body.paymentIntentStatus).toBe('requires_action')
  await world.reconcileAfter(120)
  expect((await stored(world, id)).userCount).toBe(3)
})

test('what was shown is not captured any more once the subscription has changed', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approve(world, approveUrl)
  await world.call('POST', `/v1/billing/subscriptions/${id}/suspend`, { reason: 'The vendor looks into it' })
  expect(await comeBack(world, id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
  expect((await world.call('GET', `/v2/checkout/orders/${paypalOrderId}`)).status).toBe('APPROVED')
})

test('the return from PayPal finishes it as well; somebody else’s return finds nothing', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl)
  const query = { stripeSubscriptionId: id, discountBizType: 'change' }
  const stranger = world.as({ cookie: await world.session((await world.member()).id) })
  expect((await stranger.send(paypalAddLicense, { query })).status).toBe(404)
  expect((await stranger.send(contract.paypalCallBack, { body: { subscriptionId: id } })).status).toBe(409)
  expect((await stored(world, id)).userCount).toBe(3)
  expect((await (await buyer(world)).send(paypalAddLicense, { query })).body).toMatchObject({
    ...{ status: 'active', paypalRenewConfirm: 1 },
  })
  expect((await stored(world, id)).userCount).toBe(5)
})

test('a quote of the Owner before a transfer makes no order', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { quoteId } = (await quote(world, id)).body.quote
  const { id: memberId } = await world.member()
  await world.db.update(changeQuotes).set({ memberId }).where(eq(changeQuotes.id, quoteId))
  expect((await order(world, id, twoMore, quoteId)).body.code).toBe('quote_changed')
})

test('twenty commits of one quote make one order that can be paid', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { quoteId } = (await quote(world, id)).body.quote
  const key = randomUUID()
  const sender = await buyer(world)
  const body = { subscriptionId: id, quoteId, ...twoMore }
  const send = () => sender.send(contract.changePlan, { body }, key)
  const all = await Promise.all(Array.from({ length: 20 }, send))
  // On a busy machine some wait longer for the first than a request does; they are told to come again.
  const isTold = ({ body: { code } }: (typeof all)[number]) => code === 'subscription_change_pending'
  const replies = all.some(isTold) ? [...all.filter((reply) => !isTold(reply)), await send()] : all
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200]))
  expect(new Set(replies.map((reply) => reply.body.paypalOrderId)).size).toBe(1)
  const [first] = replies
  const others = await Promise.all(Array.from({ length: 5 }, () => sender.send(contract.changePlan, { body })))
  expect(new Set(others.map((reply) => reply.body.paypalOrderId))).toEqual(new Set([first?.body.paypalOrderId]))
  await approve(world, first?.body.approveUrl ?? '')
  await comeBack(world, id)
  const used = await sender.send(contract.changePlan, { body })
  expect(used).toMatchObject({ status: 409, body: { code: 'quote_changed' } })
  expect((await stored(world, id)).userCount).toBe(5)
})
