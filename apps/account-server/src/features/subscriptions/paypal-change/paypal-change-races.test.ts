import * as autoRenewal from '@atrium/contract/auto-renewal.ts'
import * as contract from '@atrium/contract/plan-changes.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { paypalRenewSubscription } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { payments } from '../../../app.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { paypalVendor } from '../../../test/paypal.ts'
import {
  approve,
  buyer,
  comeBack,
  halfway,
  order,
  type PaypalVendor,
  quote,
  stored,
  subscribed,
  twoMore,
} from '../../../test/paypal-orders.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { activity } from '../../activity/activity.tables.ts'
import { providerPrices } from '../../catalog/provider-prices.tables.ts'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { giveUpOperation } from '../../payments/operations/perform-operation.ts'
import { changeByOrder } from './paypal-change.operations.ts'

const sandbox = await sandboxOfFile()
afterEach(async () => {
  vi.restoreAllMocks()
  await sandbox.paypal.control('DELETE', 'faults/')
})

type Vendor = PaypalVendor
async function operation(world: Vendor) {
  const rows = await world.db.select().from(providerOperations).where(eq(providerOperations.memberId, world.buyer.id))
  const [row] = rows.filter(({ kind }) => kind === changeByOrder.kind)
  if (!row) throw new Error('nothing was ordered')
  return row
}
const statusOf = async (world: Vendor, orderId: string) =>
  (await world.call('GET', `/v2/checkout/orders/${orderId}`)).status

/** Both clocks go on; PayPal bills what is due. */
async function advance(world: Vendor, seconds: number) {
  const reply = await fetch(`${sandbox.url}/clock/control/advance/`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ seconds }),
  })
  world.at(z.object({ now: z.string() }).parse(await reply.json()).now)
}

test('two seats for the rest of a month cost the month’s price, also after a year was confirmed for the next cycle', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { body } = await order(world, id, { type: 'switch-to-annual-billing' })
  await approve(world, body.approveLink)
  await world.sync(id)
  const { quote: now } = (await quote(world, id)).body
  // Half a month of two seats at 10.00.
  expect(now.chargeAmount).toBe(1000)
})

test('until the year begins, the row says what is paid: a month', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { body } = await order(world, id, { type: 'switch-to-annual-billing' })
  await approve(world, body.approveLink)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ term: 'monthly', price: 3000 })
})

test('a change that is confirmed after the renewal grants nothing that was not billed', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  await advance(world, 0)
  const now = world.deps.clock().getTime()
  // Two hours before the renewal, twenty seats cost cents.
  await advance(world, Math.floor(((periodEnd?.getTime() ?? 0) - now) / 1000) - 7200)
  const ordered = (await order(world, id, { type: 'buy-more', increasingNumber: 20 })).body
  await approve(world, ordered.approveUrl)
  const { approveLink } = (await comeBack(world, id)).body
  expect((await stored(world, id)).userCount).toBe(23)
  // The customer waits until PayPal has billed the old plan, and confirms then.
  await advance(world, 7800)
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ userCount: 3, pendingPlanId: null })
  expect(await world.sales(id)).toHaveLength(2)
  await approve(world, approveLink)
  await world.sync(id)
  // Charged so far: two months of three seats, and some cents.
  expect((await stored(world, id)).userCount).toBe(3)
})

test('an approved payment is not taken once PayPal has renewed the subscription, event or not', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  await advance(world, 0)
  const now = world.deps.clock().getTime()
  await advance(world, Math.floor(((periodEnd?.getTime() ?? 0) - now) / 1000) - 7200)
  const ordered = (await order(world, id, { type: 'buy-more', increasingNumber: 20 })).body
  await approve(world, ordered.approveUrl)
  // PayPal bills the next month; its event is late.
  await advance(world, 7800)
  const { status } = await comeBack(world, id)
  const atPaypal = await statusOf(world, ordered.paypalOrderId)
  await world.sync(id)
  const { userCount } = await stored(world, id)
  expect([status, atPaypal, userCount]).toEqual([409, 'APPROVED', 3])
})

test('what is captured while somebody else gives it up is granted', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { approveUrl, paypalOrderId } = (await order(world, id)).body
  await approve(world, approveUrl)
  const row = await operation(world)
  const { captureOrder } = world.deps.paypal
  vi.spyOn(world.deps.paypal, 'captureOrder').mockImplementationOnce(async (asked) => {
    // Its time is up, or another tab orders anew: the order was read as not captured a moment before.
    await giveUpOperation(world.deps, changeByOrder, row)
    return captureOrder(asked)
  })
  await comeBack(world, id)
  for (let minute = 0; minute < 3; minute += 1) await world.reconcileAfter(60)
  await payments.syncs.paypal['checkout-order']?.(world.deps, paypalOrderId)
  expect(await statusOf(world, paypalOrderId)).toBe('COMPLETED')
  expect([(await operation(world)).status, (await stored(world, id)).userCount]).toEqual(['succeeded', 5])
})

test('a payment that PayPal holds back is not asked for again, and does not stay in the way', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const { quoteId } = (await quote(world, id)).body.quote
  const { approveUrl, chargeAmount } = (await order(world, id)).body
  // The list offers to go on with it, until nothing is left to approve.
  expect((await world.listed())[0]?.openChange).toMatchObject({ chargeAmount })
  await approve(world, approveUrl)
  const { captureOrder, readOrder } = world.deps.paypal
  const held = (found: Awaited<ReturnType<typeof readOrder>>) =>
    found.capture ? { ...found, capture: { ...found.capture, state: 'pending' as const } } : found
  vi.spyOn(world.deps.paypal, 'captureOrder').mockImplementation(async (asked) => held(await captureOrder(asked)))
  vi.spyOn(world.deps.paypal, 'readOrder').mockImplementation(async (asked) => held(await readOrder(asked)))
  const reply = (await comeBack(world, id)).body
  // Nothing is left to approve: an address to approve at is not true.
  expect(reply).toMatchObject({ paymentIntentStatus: 'processing', approveUrl: '' })
  expect((await world.listed())[0]).not.toHaveProperty('openChange')
  const query = { subscriptionType: '0', lang: 'en-us' } as const
  const products = (await (await buyer(world)).send(listMyProducts, { query })).body.list
  expect(products.flatMap(({ subInfo }) => subInfo).map(({ showButtonType }) => showButtonType)).not.toContain(
    'pay_now',
  )
  // Until it is released nothing else can be bought, and that is said before a price is.
  const pending = { status: 409, body: { code: 'subscription_change_pending' } }
  const body = { subscriptionId: id, ...twoMore, quoteId }
  expect(await (await buyer(world)).send(contract.changePlan, { body })).toMatchObject(pending)
  expect(await quote(world, id)).toMatchObject(pending)
})

test('a payment that PayPal releases after the renewal grants nothing in a period for which it was not paid', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  await advance(world, 0)
  const now = world.deps.clock().getTime()
  await advance(world, Math.floor(((periodEnd?.getTime() ?? 0) - now) / 1000) - 24 * 3600)
  const ordered = (await order(world, id, { type: 'buy-more', increasingNumber: 20 })).body
  await approve(world, ordered.approveUrl)
  const { captureOrder, readOrder } = world.deps.paypal
  const held = (found: Awaited<ReturnType<typeof readOrder>>) =>
    found.capture ? { ...found, capture: { ...found.capture, state: 'pending' as const } } : found
  vi.spyOn(world.deps.paypal, 'captureOrder').mockImplementation(async (asked) => held(await captureOrder(asked)))
  vi.spyOn(world.deps.paypal, 'readOrder').mockImplementation(async (asked) => held(await readOrder(asked)))
  await comeBack(world, id)
  expect((await stored(world, id)).userCount).toBe(3)
  // An eCheck takes days: PayPal renews meanwhile, with three seats.
  await advance(world, 3 * 24 * 3600)
  await world.sync(id)
  vi.restoreAllMocks()
  await payments.syncs.paypal['checkout-order']?.(world.deps, ordered.paypalOrderId)
  expect((await stored(world, id)).userCount).toBe(3)
})

test('what cannot be confirmed while auto-renewal is off is not offered', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl)
  await comeBack(world, id)
  await (await buyer(world)).send(autoRenewal.subscriptionCancel, { body: { sid: id, reasons: [1] } })
  const reply = await (await buyer(world)).send(paypalRenewSubscription, { body: { sid: id } })
  expect([(await world.listed())[0]?.paypalRenewConfirm, reply.body.code]).toEqual([0, 'nothing_to_confirm'])
})

test.each(['TRANSACTION_REFUSED', 'PAYER_CANNOT_PAY', 'COMPLIANCE_VIOLATION'])(
  'a refusal of PayPal with %s is a declined payment, and leaves the way free',
  async (code) => {
    const { world, id } = await halfway(sandbox)
    await using _world = world
    await approve(world, (await order(world, id)).body.approveUrl)
    vi.spyOn(world.deps.paypal, 'captureOrder').mockRejectedValue(
      new ProviderFailure('invalid', new Error(code), { code }),
    )
    const back = await comeBack(world, id)
    const again = await order(world, id)
    expect([back.status, back.body.code, again.status]).toEqual([402, 'payment_declined', 200])
  },
)

test('a quote of a period that is over is not charged with nothing', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  // PayPal bills some hours after the moment that it names.
  world.at(new Date((periodEnd?.getTime() ?? 0) + 60_000))
  const { status, body } = await quote(world, id, { type: 'buy-more', increasingNumber: 500 })
  expect([status, body]).toMatchObject([409, { code: 'change_not_possible' }])
})

test('an older confirmation that is given later takes nothing away that was paid', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  await approve(world, (await order(world, id)).body.approveUrl)
  const first = (await comeBack(world, id)).body.approveLink
  await approve(world, (await order(world, id, { type: 'buy-more', increasingNumber: 4 })).body.approveUrl)
  await comeBack(world, id)
  expect((await stored(world, id)).userCount).toBe(9)
  const { listed } = { listed: await world.listed() }
  expect(listed[0]?.paypalRenewConfirm).toBe(1)
  const second = (await (await buyer(world)).send(paypalRenewSubscription, { body: { sid: id } })).body.approveLink
  await approve(world, second)
  await world.sync(id)
  // A revision by the vendor, or an older link: PayPal bills fewer from the next cycle on.
  await world.call('POST', `/v1/billing/subscriptions/${id}/revise`, { quantity: '5' }).then(async (answer) => {
    const link = JSON.stringify(answer).match(/http[^"]*ba_token=[^"]*/)?.[0] ?? first
    await approve(world, link)
  })
  await world.sync(id)
  expect((await stored(world, id)).userCount).toBe(9)
})

test('a plan with tax on top is not changed here, since its tax is not computed', async () => {
  const world = await paypalVendor(sandbox)
  await using _world = world
  const { plan } = world
  if (!plan) throw new Error('no plan')
  // The vendor sold it before, at PayPal, with tax on top of the price.
  const made = await world.call('POST', '/v1/billing/plans', {
    product_id: plan.productId,
    name: 'Folio PDF Editor+',
    billing_cycles: [
      {
        frequency: { interval_unit: 'MONTH', interval_count: 1 },
        tenure_type: 'REGULAR',
        sequence: 1,
        total_cycles: 0,
        pricing_scheme: { fixed_price: { value: '10.00', currency_code: 'USD' } },
      },
    ],
    payment_preferences: { auto_bill_outstanding: true },
    quantity_supported: true,
    taxes: { percentage: '20', inclusive: false },
  })
  const planId = String(made.id)
  await world.db.insert(providerPrices).values({ ...plan, id: planId, isCurrent: false })
  const id = await world.buy({ planId })
  await world.sync(id)
  expect(await quote(world, id)).toMatchObject({ status: 409, body: { code: 'change_not_possible' } })
})

test('an order that is approved while a second tab gives it up is not paid beside the second one', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const first = (await order(world, id)).body
  const { readOrder, captureOrder } = world.deps.paypal
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  let tabOne: ReturnType<typeof comeBack> | undefined
  const capturing = vi.spyOn(world.deps.paypal, 'captureOrder').mockImplementationOnce(async (asked) => {
    // PayPal is slow.
    await released
    return captureOrder(asked)
  })
  vi.spyOn(world.deps.paypal, 'readOrder').mockImplementationOnce(async (orderId) => {
    const open = await readOrder(orderId)
    // The customer approves in the first tab right after the second one has asked PayPal.
    await approve(world, first.approveUrl)
    tabOne = comeBack(world, id)
    await expect.poll(() => capturing).toHaveBeenCalled()
    return open
  })
  const second = await order(world, id)
  release()
  await tabOne
  if (second.status === 200) {
    await approve(world, second.body.approveUrl)
    await comeBack(world, id)
  }
  const paid = [first.paypalOrderId, second.body.paypalOrderId ?? ''].filter((one) => one !== '')
  const states = await Promise.all(paid.map((one) => statusOf(world, one)))
  const charged = states.filter((state) => state === 'COMPLETED').length * 1000
  expect({ charged, seats: (await stored(world, id)).userCount }).toEqual({ charged, seats: 3 + charged / 500 })
})

test('a renewal while an order waits for its approval is PayPal’s doing, not the customer’s', async () => {
  const { world, id } = await subscribed(sandbox)
  await using _world = world
  const { periodEnd } = await stored(world, id)
  await advance(world, 0)
  const now = world.deps.clock().getTime()
  await advance(world, Math.floor(((periodEnd?.getTime() ?? 0) - now) / 1000) - 7200)
  await order(world, id, { type: 'buy-more', increasingNumber: 20 })
  await advance(world, 7800)
  await world.sync(id)
  const rows = await world.db.select().from(activity).where(eq(activity.memberId, world.buyer.id))
  const changes = rows.filter(({ action }) => action === 'subscription.changed')
  expect(changes.map(({ actorKind }) => actorKind)).not.toContain('member')
})

test('a payment that PayPal holds back for one subscription does not keep another one from being changed', async () => {
  const { world, id } = await halfway(sandbox)
  await using _world = world
  const other = await world.buy()
  await world.sync(other)
  await approve(world, (await order(world, id)).body.approveUrl)
  const { captureOrder, readOrder } = world.deps.paypal
  const held = (found: Awaited<ReturnType<typeof readOrder>>) =>
    found.capture ? { ...found, capture: { ...found.capture, state: 'pending' as const } } : found
  vi.spyOn(world.deps.paypal, 'captureOrder').mockImplementation(async (asked) => held(await captureOrder(asked)))
  vi.spyOn(world.deps.paypal, 'readOrder').mockImplementation(async (asked) => held(await readOrder(asked)))
  await comeBack(world, id)
  const reply = await order(world, other)
  expect([reply.status, reply.body.code]).toEqual([200, undefined])
})
