import { subscriptionCancel } from '@atrium/contract/auto-renewal.ts'
import { listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { listMyProducts } from '@atrium/contract/products.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { linkCustomer } from '../../test/claimed-owners.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { acceptanceOf } from '../payments/unmatched/unmatched.queries.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { storeUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import { syncPaypalSubscriptions, syncSale, syncSales } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** A vendor on the sandbox's own clock, which the tests before have moved. */
async function vendor() {
  const world = await paypalVendor(sandbox)
  world.at(await sandbox.now())
  return world
}
type Vendor = Awaited<ReturnType<typeof vendor>>

const days = (world: Vendor, many: number) => new Date(world.deps.clock().getTime() + many * 86_400_000).toISOString()
const usd = (value: string) => ({ currency_code: 'USD', value })
const price = (value: string, sequence = 1) => ({
  billing_cycles: [{ sequence, pricing_scheme: { fixed_price: usd(value) } }],
})
const act = (world: Vendor, id: string, action: string) =>
  world.call('POST', `/v1/billing/subscriptions/${id}/${action}`, { reason: 'Test' })
const Sent = z.object({ to: z.string(), subject: z.string() })
/** Subjects of the buyer's; the jobs also end what other tests left. */
function emails(world: Vendor) {
  const all = world.sent.splice(0).flatMap(({ queue, data }) => (queue === mailQueue ? [Sent.parse(data)] : []))
  return all.filter(({ to }) => to === world.buyer.email).map(({ subject }) => subject)
}

/** A plan of the vendor's own. */
async function ownPlan(world: Vendor, { trial, preferences = {} }: { trial?: object; preferences?: object }) {
  const product = await world.call('POST', '/v1/catalogs/products', { name: 'Own', type: 'DIGITAL' })
  const cycle = {
    tenure_type: 'REGULAR',
    sequence: trial ? 2 : 1,
    total_cycles: 0,
    frequency: { interval_unit: 'MONTH' },
  }
  const regular = { ...cycle, pricing_scheme: { fixed_price: usd('10') } }
  const plan = await world.call('POST', '/v1/billing/plans', {
    ...{ product_id: product.id, name: 'Own, monthly', quantity_supported: true, payment_preferences: preferences },
    billing_cycles: trial ? [trial, regular] : [regular],
  })
  return String(plan.id)
}

test('suspended and then canceled from outside, it can be used until the end of what was paid', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const [paid] = await world.listed()
  for (const action of ['suspend', 'cancel']) {
    await act(world, id, action)
    await world.sync(id)
    const [now] = await world.listed()
    expect(now).toMatchObject({ stripeSubscriptionStatus: 'active', nextPlanPeriodStart: paid?.stripeCurrentPeriodEnd })
  }
  await world.hourlyJobsAt(new Date(Date.parse(paid?.stripeCurrentPeriodEnd ?? '') + 60_000))
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled', endedUnpaid: 0 }])
})

test('what begins in nine years is shown with that day, grants none of its 500 seats, and ends when it is turned off', async () => {
  await using world = await vendor()
  const beginsAt = days(world, 9 * 365)
  const id = await world.buy({ more: { quantity: '500', start_time: beginsAt } })
  await world.sync(id)
  const begins = new Date(Math.floor(Date.parse(beginsAt) / 1000) * 1000).toISOString()
  const [row] = await world.listed()
  expect(row).toMatchObject({ stripeSubscriptionStatus: 'pending', beginsAt: begins, isExpiring: 0, manageBy: 'none' })
  const client = world.as({ cookie: await world.session(world.buyer.id) })
  const { list: groups } = (await client.send(listMyProducts, { query: {} })).body
  const items = groups.flatMap(({ subInfo }) => subInfo)
  expect(items.find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)).toMatchObject({
    showTimeType: 'begins_on',
    showTime: begins,
  })
  expect(emails(world)).toEqual([])

  const { status, body } = await client.send(subscriptionCancel, { body: { sid: id, reasons: [1] } })
  expect([status, body.stripeSubscriptionStatus]).toEqual([200, 'canceled'])
  expect(await world.call('GET', `/v1/billing/subscriptions/${id}`)).toMatchObject({ status: 'CANCELLED' })
})

test('what begins in ten days starts with its first payment, and is told then', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { start_time: days(world, 10) } })
  await world.sync(id)
  expect(emails(world)).toEqual([])
  await world.advanceTo(days(world, 11))
  await world.hourlyJobsAt(world.deps.clock())
  const [row] = await world.listed()
  expect(row).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 3 })
  expect(row).not.toHaveProperty('beginsAt')
  expect(emails(world)).toEqual([expect.stringMatching(/^Your subscription/)])
})

test('a first payment that fails is nothing here, whoever’s address it names: no row, no email', async () => {
  await using world = await vendor()
  const id = await world.buy({ answer: 'no-funds' })
  await world.sync(id)
  expect([await world.listed(), emails(world)]).toEqual([[], []])
})

test('a setup fee pays for no cycle', async () => {
  await using world = await vendor()
  const planId = await ownPlan(world, { preferences: { setup_fee: usd('5') } })
  const id = await world.buy({ planId, more: { quantity: '1', start_time: days(world, 5) } })
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(days(world, 6))
  await world.sync(id)
  const said: string[] = []
  const counts = await syncPaypalSubscriptions({ ...world.deps, say: (sentence) => void said.push(sentence) })
  expect(await world.listed()).toEqual([])
  expect(counts.unmatched).toBeGreaterThan(0)
  expect(said).toContainEqual(expect.stringMatching(`^${id}: what was paid for it is less than one cycle`))
})

test.each([
  ['a cent', { plan: price('0.01') }, 'price_overridden'],
  ['half a seat', { quantity: '1.5' }, 'impossible_amount'],
  ['more seats than there can be', { quantity: '100001' }, 'impossible_amount'],
])('what was made with %s is not granted, and waits for the operator', async (_name, more, reason) => {
  await using world = await vendor()
  const id = await world.buy({ more })
  await world.sync(id)
  await world.sync(id)
  expect(await world.listed()).toEqual([])
  const waiting = await world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  expect(waiting).toMatchObject([{ reason, memberId: world.buyer.id, acceptedAt: null }])
})

test('what a proven member has paid, and is not granted, is being checked until the operator has decided; a stranger’s is not', async () => {
  await using world = await vendor()
  const caller = world.as({ cookie: await world.session(world.buyer.id) })
  const checked = async () => (await caller.send(listPaymentsBeingChecked, {})).body.list
  const id = await world.buy({ more: { plan: price('0.01') } })
  await world.sync(id)
  expect(await checked()).toEqual([
    { id: expect.any(String), provider: 'paypal', paidAt: expect.any(Number), amount: 3, currency: 'USD' },
  ])
  const typed = await world.buy({ customId: world.buyer.email, more: { plan: price('0.01') } })
  await world.sync(typed)
  expect(await checked()).toHaveLength(1)
  expect((await world.as(await world.member()).send(listPaymentsBeingChecked, {})).body.list).toEqual([])

  const [waiting] = await world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  await acceptUnmatched(world.db, { id: waiting?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  expect(await checked()).toEqual([])
})

test('what the operator has accepted is granted, and goes on with each payment', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: price('0.01') } })
  await world.sync(id)
  const [waiting] = await world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  await acceptUnmatched(world.db, { id: waiting?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 3, price: 3 }])
  await world.advanceTo(days(world, 40))
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})

test('what was nobody’s stays whose the operator said, also while its price waits for the operator', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: 'of another shop', more: { plan: price('0.01') } })
  await world.sync(id)
  const waiting = () => world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id))
  expect(await waiting()).toMatchObject([{ reason: 'no_member', memberId: null }])

  const now = world.deps.clock()
  await linkCustomer(world, world.buyer, id)
  for (const _again of [1, 2]) {
    await world.sync(id)
    expect(await waiting()).toMatchObject([{ reason: 'price_overridden', memberId: world.buyer.id, isProven: true }])
  }
  await acceptUnmatched(world.db, { id: (await waiting())[0]?.id ?? '', provider: 'paypal', now })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 3 }])
})

test('a member who adds a trial that is offered has not accepted its price', async () => {
  await using world = await vendor()
  const object = { provider: 'paypal', kind: 'subscription', objectId: `I-${world.buyer.id}` } as const
  const dates = { boughtAt: world.deps.clock(), createdAt: world.deps.clock() }
  await storeUnmatched(world.db, { ...object, ...dates, reason: 'offered' })
  const isIt = eq(unmatchedPurchases.objectId, object.objectId)
  await world.db.update(unmatchedPurchases).set({ acceptedAt: world.deps.clock() }).where(isIt)
  expect(await acceptanceOf(world.db, { ...object, terms: 'P-1', price: null, currency: 'USD' })).toBeUndefined()
  await storeUnmatched(world.db, { ...object, ...dates, reason: 'price_overridden' })
  expect(await acceptanceOf(world.db, { ...object, terms: 'P-1', price: null, currency: 'USD' })).toBeUndefined()
})

test('a plan that was overridden with what the catalog asks, or more, is granted', async () => {
  await using world = await vendor()
  const ids = [await world.buy({ more: { plan: price('10') } }), await world.buy({ more: { plan: price('12') } })]
  for (const id of ids) await world.sync(id)
  expect(new Set((await world.listed()).map((one) => one.stripeSubscriptionId))).toEqual(new Set(ids))
})

test('a trial of the plan’s own can be used for its length and a day; one that the buyer made longer cannot', async () => {
  await using world = await vendor()
  const trial = {
    frequency: { interval_unit: 'DAY', interval_count: 14 },
    tenure_type: 'TRIAL',
    sequence: 1,
    total_cycles: 1,
  }
  const planId = await ownPlan(world, { trial })
  const own = await world.buy({ planId })
  const longer = { billing_cycles: [{ sequence: 1, total_cycles: 999 }] }
  const made = await world.buy({ planId, more: { plan: longer } })
  await world.sync(own)
  await world.sync(made)
  const list = await world.listed()
  expect(list.map((one) => [one.stripeSubscriptionId, one.stripeSubscriptionStatus])).toEqual([[own, 'trialing']])
  const [row] = list
  expect(Date.parse(row?.accessEnd ?? '') - Date.parse(row?.trialEnd ?? '')).toBe(86_400_000)
})

test('PayPal bills a day late: access goes on, and ends after three days without a payment', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const [first] = await world.listed()
  const end = Date.parse(first?.stripeCurrentPeriodEnd ?? '')
  await world.control('PUT', `lateness/${id}/`, { hours: 100 })
  const statusAfter = async (hours: number) => {
    await world.advanceTo(new Date(end + hours * 3_600_000).toISOString())
    await world.hourlyJobsAt(world.deps.clock())
    return (await world.listed())[0]?.stripeSubscriptionStatus
  }
  expect([await statusAfter(1), await statusAfter(71), await statusAfter(73)]).toEqual(['active', 'active', 'pending'])
  expect(emails(world)).toHaveLength(1)
  expect(await statusAfter(101)).toBe('active')
  expect(await world.sales(id)).toHaveLength(2)
})

test('what PayPal does not answer about ends here by itself, and is not called canceled', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const end = Date.parse((await world.listed())[0]?.stripeCurrentPeriodEnd ?? '')
  await world.control('POST', 'faults/', { kind: 'error', pattern: '*', times: 100 })
  await world.hourlyJobsAt(new Date(end + 73 * 3_600_000))
  await world.control('DELETE', 'faults/')
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending', manageBy: 'none' }])
})

test('a payment that is given back grants nothing any more', async () => {
  await using world = await vendor()
  const id = await world.buy()
  const [sale = ''] = await world.sales(id)
  await syncSale(world.deps, sale)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  await world.refund(sale)
  await syncSale(world.deps, sale)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  await act(world, id, 'cancel')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled' }])
})

test('a month that is given back while the next one cannot be collected has no days of retries of its own', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  await world.advanceTo(days(world, 32))
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(days(world, 32))
  await world.sync(id)
  const access = async () => Date.parse((await world.listed())[0]?.accessEnd ?? '')
  expect(await access()).toBeGreaterThan(world.deps.clock().getTime())
  await world.refund((await world.sales(id)).at(-1) ?? '')
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
  expect(await access()).toBeLessThan(world.deps.clock().getTime())
})

test('seats that were approved at PayPal and not paid are not granted in the days of retries', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.sync(id)
  const revised = await world.call('POST', `/v1/billing/subscriptions/${id}/revise`, { quantity: '500' })
  const { href } = z.array(z.object({ href: z.string() })).parse(revised.links)[0] ?? {}
  await world.control('POST', 'approvals/', { link: href, answer: 'no-funds' })
  await world.advanceTo(days(world, 50))
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due', userCount: 3 }])
})

test('a number that is too large for a column is counted, and stops nothing', async () => {
  await using world = await vendor()
  const [one, other] = [await world.buy(), await world.buy()]
  const { readSubscription, readSale } = world.deps.paypal
  const huge = 1e33
  world.deps.paypal.subscriptions = async () => ({
    subscriptions: [await readSubscription(one), await readSubscription(other)].map((given) =>
      given.id === one
        ? { ...given, amount: huge, payments: given.payments.map((paid) => ({ ...paid, amount: huge })) }
        : given,
    ),
    hasMore: false,
  })
  world.deps.paypal.readSale = async (id) => {
    const sale = await readSale(id)
    return sale.subscriptionId === one ? { ...sale, total: huge } : sale
  }
  const said: string[] = []
  const deps = { ...world.deps, say: (sentence: string) => void said.push(sentence) }
  expect(await syncPaypalSubscriptions(deps)).toEqual({ synced: 1, unmatched: 1 })
  expect(await syncSales(deps)).toEqual({ synced: 1, unmatched: 1 })
  expect(said).toEqual(Array(2).fill(expect.stringMatching(`^${one}: its quantity or an amount`)))
  expect((await world.listed()).map((row) => row.stripeSubscriptionId)).toEqual([other])
})
