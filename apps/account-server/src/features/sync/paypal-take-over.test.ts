import { and, eq, like } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { activity } from '../activity/activity.tables.ts'
import { orders } from '../orders/orders.tables.ts'
import {
  syncPaypalRefund,
  syncPaypalSubscriptions,
  syncSale,
  syncSales,
} from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

const vendor = () => paypalVendor(sandbox)

test('the catalog is at PayPal: a plan for each recurring price, made once, and named by it', async () => {
  await using world = await vendor()
  expect(world.plan).toMatchObject({ term: 'monthly', amount: 1000, currency: 'USD', isCurrent: true })
  expect(world.said).toContain(`${world.productCode.toLowerCase()}-monthly-usd: created at PayPal`)
  expect(await world.syncCatalog()).toMatchObject({ plans: 0 })
})

test('bought by PayPal: subscription and completed order are here, with seats, price, end and the vendor’s own numbers', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const [sale = ''] = await world.sales(id)
  await Promise.all([syncSale(world.deps, sale), world.sync(id)])

  const [subscription] = await world.listed()
  expect(subscription).toMatchObject({
    ...{ stripeSubscriptionId: id, appCode: world.productCode, userCount: 3, paidType: 'monthly', userType: 2 },
    ...{ price: 3000, currency: 'USD', stripeSubscriptionStatus: 'active', autoRenewal: 1, nextPlanPeriodStart: '' },
  })
  const days = (Date.parse(subscription?.stripeCurrentPeriodEnd ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(27)
  expect(days).toBeLessThan(32)
  const orders = await world.ordered()
  expect(orders).toMatchObject([{ orderStatus: 'CO', orderAmount: 3000, orderCurrency: 'USD' }])
  expect(JSON.stringify(orders)).not.toContain(sale)

  await syncSale(world.deps, sale)
  expect(await world.ordered()).toHaveLength(1)
})

test('a payment that PayPal collects days late stands in the order with the cycle that it pays for', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const [sale = ''] = await world.sales(id)
  const { readSale, readSubscription } = world.deps.paypal
  const paidAt = new Date(Date.now() + 5 * 86_400_000)
  world.deps.paypal.readSale = async (saleId) => ({ ...(await readSale(saleId)), paidAt })
  await syncSale(world.deps, sale)

  const { startsAt, nextBillingAt } = await readSubscription(id)
  const [order] = await world.db.select().from(orders).where(eq(orders.providerId, sale))
  expect(order?.date).toEqual(paidAt)
  const cycle = { from: startsAt.toISOString(), to: nextBillingAt?.toISOString() }
  expect(order?.lines).toMatchObject([{ facts: { kind: 'period', ...cycle } }])
})

test('what was never approved is not listed, and what PayPal does not know changes nothing', async () => {
  await using world = await vendor()
  const id = await world.buy({ answer: 'none' })
  await world.sync(id)
  await world.sync('I-NOBODYSOWN00')
  await syncSale(world.deps, 'NOBODYSSALE000000')
  expect([await world.listed(), await world.ordered()]).toEqual([[], []])
})

test('a subscription of nobody is logged and stored for nobody; the payer’s own verified address is enough', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: 'nobody@example.test' })
  await world.sync(id)
  expect(await world.listed()).toEqual([])

  const byId = await world.buy({ customId: world.buyer.id })
  await world.sync(byId)
  expect((await world.listed()).map((one) => one.stripeSubscriptionId)).toEqual([byId])
})

test('canceled at PayPal it can be used until the paid end, and then it has ended', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  await world.control('POST', `subscriptions/${id}/cancel/`, { by: 'buyer' })
  await world.sync(id)

  const [before] = await world.listed()
  expect(before).toMatchObject({ stripeSubscriptionStatus: 'active', autoRenewal: 0, hideResume: 1 })
  expect(before?.nextPlanPeriodStart).toBe(before?.stripeCurrentPeriodEnd)

  world.at(new Date(Date.parse(before?.nextPlanPeriodStart ?? '') + 1000))
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled' }])
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled', accessEnd: before?.accessEnd }])
})

test('suspended from outside it can be used until the paid end, and renews again afterwards; each change has one activity row', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const act = async (action: string) => {
    await world.call('POST', `/v1/billing/subscriptions/${id}/${action}`, { reason: 'test' })
    await Promise.all([world.sync(id), world.sync(id)])
  }
  await world.sync(id)
  const [paid] = await world.listed()
  await act('suspend')
  expect(await world.listed()).toMatchObject([
    { stripeSubscriptionStatus: 'active', autoRenewal: 0, nextPlanPeriodStart: paid?.stripeCurrentPeriodEnd },
  ])
  await act('activate')
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', autoRenewal: 1 }])

  const history = await world.db
    .select({ action: activity.action })
    .from(activity)
    .where(and(eq(activity.target, id), like(activity.action, 'subscription.%')))
  expect(history.map(({ action }) => action)).toEqual([
    'subscription.created',
    'subscription.changed',
    'subscription.changed',
  ])
})

test('what PayPal gives back, a part and then the rest, stands in the order, read in any order', async () => {
  await using world = await vendor()
  const [sale = ''] = await world.sales(await world.buy())
  const part = await world.refund(sale, '12.00')
  await syncPaypalRefund(world.deps, part)
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'CO', orderAmount: 3000, orderRefundedAmount: 1200 }])

  const rest = await world.refund(sale)
  for (const id of [rest, part, rest]) await syncPaypalRefund(world.deps, id)
  const [order] = await world.ordered()
  expect(order).toMatchObject({ orderStatus: 'CO', orderRefundedAmount: 3000 })
  expect(Math.abs(Date.parse(order?.orderRefundDate ?? '') - Date.now())).toBeLessThan(60_000)
  const rows = await world.deps.db
    .select({ details: activity.details })
    .from(activity)
    .where(and(eq(activity.memberId, world.buyer.id), eq(activity.action, 'order.refunded')))
    .orderBy(activity.id)
  expect(rows).toMatchObject([
    { details: { before: { refundedAmount: 0 }, after: { refundedAmount: 1200, currency: 'USD' } } },
    { details: { before: { refundedAmount: 1200 }, after: { refundedAmount: 3000 } } },
  ])
})

test('an account that was filled before is taken over, with PayPal’s numbers; a plan of the vendor’s own is a product that is not sold', async () => {
  await using world = await vendor()
  const [product] = [await world.call('POST', '/v1/catalogs/products', { name: 'Old Editor', type: 'DIGITAL' })]
  const cycle = { frequency: { interval_unit: 'YEAR' }, tenure_type: 'REGULAR', sequence: 1, total_cycles: 0 }
  const price = { pricing_scheme: { fixed_price: { currency_code: 'EUR', value: '49.00' } } }
  const plan = await world.call('POST', '/v1/billing/plans', {
    ...{ product_id: product?.id, name: 'Old Editor, yearly', quantity_supported: true },
    ...{ billing_cycles: [{ ...cycle, ...price }], payment_preferences: {} },
  })
  const id = await world.buy({ planId: String(plan.id) })
  const deps = { ...world.deps, say: () => undefined }
  await syncPaypalSubscriptions(deps)
  await syncSales(deps)
  await syncSales(deps)

  const mine = (await world.listed()).find((one) => one.stripeSubscriptionId === id)
  expect(mine).toMatchObject({ appName: 'Old Editor, yearly', paidType: '', price: 14_700, currency: 'EUR' })
  const [sale] = await world.sales(id)
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'CO', orderAmount: 14_700, orderInvoiceNum: sale }])

  await world.refund(sale ?? '')
  await syncSales(deps)
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'CO', orderAmount: 14_700, orderRefundedAmount: 14_700 }])
})

test('a payment that PayPal lists and cannot show is named, and the rest is taken over', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const [sale = ''] = await world.sales(id)
  const { paypal } = world.deps
  const { subscriptions, readSale } = paypal
  const payment = { at: new Date(), amount: 3000, tax: null, currency: 'USD' }
  const listed = (state: 'paid' | 'unpaid') => async (page: number) => {
    const { subscriptions: all, hasMore } = await subscriptions(page)
    const unseen = { ...payment, id: `unseen-${state}`, state }
    const own = all.filter((one) => one.id === id)
    return { subscriptions: own.map((one) => ({ ...one, payments: [unseen, ...one.payments] })), hasMore }
  }
  paypal.readSale = async (asked) => {
    if (asked.startsWith('unseen')) throw new ProviderFailure('missing', new Error('The resource does not exist'))
    return readSale(asked)
  }
  const said: string[] = []
  const takeOver = () => syncSales({ ...world.deps, say: (sentence) => void said.push(sentence) })
  paypal.subscriptions = listed('unpaid')
  expect([await takeOver(), said]).toEqual([{ synced: 1, unmatched: 0 }, []])
  paypal.subscriptions = listed('paid')
  expect(await takeOver()).toEqual({ synced: 0, unmatched: 1 })
  expect(said).toEqual([`${id}: PayPal lists a payment of it that cannot be read: it is no order`])
  expect(await world.ordered()).toMatchObject([{ orderStatus: 'CO', orderInvoiceNum: sale }])
})
