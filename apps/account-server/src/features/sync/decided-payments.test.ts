import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { load } from '../../test/import.ts'
import { approve, comeBack, halfway, order, stored } from '../../test/paypal-orders.ts'
import { freeMonths, priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { orders } from '../orders/orders.tables.ts'
import { paypalPayments } from '../subscriptions/paypal-payments.tables.ts'
import {
  findPaypalSubscription,
  syncSale,
  syncSales,
  takeOverPaypalSubscription,
} from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** A month of fifty seats that was read. */
async function fiftySeats() {
  const world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const yearly = await world.planOf(world.productCode, 'yearly')
  const id = await world.buy({ planId, more: { quantity: '50' } })
  await world.sync(id)
  const row = async () => (await world.listed())[0]
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  return { world, id, planId, yearly, row }
}

test('what is held back is for the seats of when it was read first, whenever it is collected', async () => {
  const { world, id, planId, row } = await fiftySeats()
  await using _ = world
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.sync(id)
  await world.daysLater(6, id)
  expect((await row())?.stripeSubscriptionStatus).not.toBe('active')
  const held = (await world.deps.paypal.readSubscription(id)).payments.at(-1)
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: false })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  await world.daysLater(30, id)
  expect((await row())?.userCount).toBe(1)
})

test('an order says what was bought when its payment was read first, whatever it is revised to since', async () => {
  const { world, id, yearly } = await fiftySeats()
  await using _ = world
  await world.revise(id, { plan_id: yearly, quantity: '3' })
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  const [paid] = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(paid?.lines).toMatchObject([{ productCode: world.productCode, facts: { kind: 'period', quantity: 50 } }])
  const [{ facts = undefined } = {}] = paid?.lines ?? []
  expect(Number(new Date(facts?.to ?? '')) - Number(new Date(facts?.from ?? ''))).toBeLessThan(32 * 86_400_000)
})

test('it says so, too, once the price of the plan was raised', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const id = await world.buy({ planId, more: { quantity: '3' } })
  await world.sync(id)
  const scheme = { billing_cycle_sequence: 1, pricing_scheme: { fixed_price: usd('15') } }
  await world.call('POST', `/v1/billing/plans/${planId}/update-pricing-schemes`, { pricing_schemes: [scheme] })
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  const [paid] = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(paid?.lines).toMatchObject([{ amount: 3000, facts: { kind: 'period', quantity: 3 } }])
})

test('of readings at once each finds what one of them has decided', async () => {
  const { world, id, planId, row } = await fiftySeats()
  await using _ = world
  await world.fund(id, true)
  await world.advanceTo(world.inDays(32))
  const sales = await world.sales(id)
  await Promise.all([...sales, ...sales].map((sale) => syncSale(world.deps, sale)))
  await Promise.all([world.revise(id, { plan_id: planId, quantity: '500' }), world.sync(id), world.sync(id)])
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  const decided = await world.db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, id))
  expect(decided.map(({ purpose, plan }) => [purpose, plan?.userCount])).toEqual([
    ['cycle', 50],
    ['cycle', 50],
  ])
})

test('what an earlier version has granted stays what its row says', async () => {
  const { world, id, yearly } = await fiftySeats()
  await using _ = world
  const { periodEnd } = await transfersIn(world).stored(id)
  await world.db.delete(paypalPayments)
  await world.revise(id, { plan_id: yearly, quantity: '500' })
  for (const days of [1, 2]) {
    await world.daysLater(days, id)
    const row = await transfersIn(world).stored(id)
    expect(row).toMatchObject({ status: 'active', userCount: 50, term: 'monthly', periodEnd })
  }
})

test('what orders have bought on top of that ends with its period, though an earlier version has granted it', async () => {
  const { world, id } = await halfway(sandbox)
  await using _ = world
  const { userCount: paid, periodEnd } = await stored(world, id)
  const { approveUrl } = (await order(world, id)).body
  await approve(world, approveUrl)
  await comeBack(world, id)
  expect((await stored(world, id)).userCount).toBe(paid + 2)
  await world.db.delete(paypalPayments)
  await world.control('PUT', `funds/${id}/`, { hasFunds: false })
  await world.advanceTo(new Date((periodEnd?.getTime() ?? 0) + 6 * 3_600_000).toISOString())
  await world.sync(id)
  expect(await stored(world, id)).toMatchObject({ status: 'past_due', userCount: paid })
})

/** Fifty seats for $5 a month. */
async function cheapSeats() {
  const world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const id = await world.buy({ planId, more: { quantity: '50', plan: priceOf('0.10') } })
  await world.sync(id)
  const accept = async () => {
    const [line] = await world.waiting(id)
    await acceptUnmatched(world.db, { id: line?.id ?? '', provider: 'paypal', now: world.deps.clock() })
    await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)
  }
  return { world, planId, id, accept, row: async () => (await world.listed())[0] }
}

test('what was held back when the operator accepted the rest is not accepted with it', async () => {
  const { world, planId, id, accept, row } = await cheapSeats()
  await using _ = world
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.sync(id)
  await accept()
  await world.daysLater(2, id)
  const held = (await world.deps.paypal.readSubscription(id)).payments.at(-1)
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  expect((await row())?.stripeSubscriptionStatus).not.toBe('active')
  expect(await world.waiting(id)).toMatchObject([{ amount: 500, acceptedAt: null }])
})

test('what clears after a revision, and is accepted then, is an order', async () => {
  const { world, planId, id, accept } = await cheapSeats()
  await using _ = world
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.sync(id)
  const held = (await world.deps.paypal.readSubscription(id)).payments.at(-1)
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  await world.daysLater(1, id)
  await accept()
  await world.daysLater(1, id)
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  expect((await world.waiting(id)).filter(({ acceptedAt }) => acceptedAt === null)).toEqual([])
  const made = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(made.map(({ amount }) => amount)).toEqual([500, 500])
})

test('what came within a month that was given back since is granted once the operator accepts it', async () => {
  const { world, id, row } = await fiftySeats()
  await using _ = world
  const { readSubscription } = world.deps.paypal
  const [paid] = (await readSubscription(id)).payments
  const isBack = { first: false }
  vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation(async (asked) => {
    const given = await readSubscription(asked)
    const [first] = given.payments
    if (!first) return given
    const second = { ...first, id: `${first.id}-2`, at: new Date(first.at.getTime() + 8 * 86_400_000) }
    return { ...given, payments: [isBack.first ? { ...first, state: 'given_back' } : first, second] }
  })
  await world.daysLater(9, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  isBack.first = true
  await world.sync(id)
  expect((await row())?.stripeSubscriptionStatus).toBe('pending')
  const [line] = await world.waiting(id)
  expect(line).toMatchObject({ amount: paid?.amount })
  await acceptUnmatched(world.db, { id: line?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
})

test('a fee that fails a moment after the first month was collected makes no fee of that', async () => {
  await using world = await termsVendor(sandbox)
  const preferences = { setup_fee: usd('5'), setup_fee_failure_action: 'CONTINUE' }
  const planId = await world.ownPlan({ preferences })
  const id = await world.buy({ planId, more: { quantity: '3' } })
  const { readSubscription } = world.deps.paypal
  vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation(async (asked) => {
    const given = await readSubscription(asked)
    const payments = given.payments.filter(({ amount }) => amount === 3000)
    const at = new Date((payments[0]?.at.getTime() ?? 0) + 3000)
    return { ...given, payments, failure: { amount: 500, at, nextAttemptAt: null } }
  })
  await world.sync(id)
  const decided = await world.db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, id))
  expect(decided).toMatchObject([{ purpose: 'cycle' }])
})

/** PayPal's answers about a subscription, with what it has by now changed. */
function answering(
  world: Awaited<ReturnType<typeof termsVendor>>,
  change: (given: PaypalSubscription) => Partial<PaypalSubscription>,
) {
  const { readSubscription } = world.deps.paypal
  return vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation(async (asked) => {
    const given = await readSubscription(asked)
    return { ...given, ...change(given) }
  })
}

test('of a fee as large as the month, read at once by answers that each lack one of them, one is the fee', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('30') } })
  const id = await world.buy({ planId, more: { quantity: '3' } })
  let answers = 0
  answering(world, ({ payments }) => ({ payments: payments.filter((_one, place) => place === answers++ % 2) }))
  await Promise.all([world.sync(id), world.sync(id)])
  const decided = await world.db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, id))
  expect(decided.map(({ purpose }) => purpose).toSorted()).toEqual(['cycle', 'fee'])
})

test('of a fee as large as the month, both held back as eChecks, one is the fee', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('30') } })
  const id = await world.buy({ planId, more: { quantity: '3' } })
  const state = { now: 'unpaid' as 'unpaid' | 'paid' }
  answering(world, ({ payments }) => ({ payments: payments.map((one) => ({ ...one, state: state.now })) }))
  await world.sync(id)
  state.now = 'paid'
  await world.sync(id)
  expect((await world.listed())[0]).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 3 })
})

test('a plan that the catalog does not know is a product once its payment is decided, whatever it is revised to before the row is stored', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const known = await world.siblingPlan(planId, { value: '10', unit: 'MONTH' })
  const price = { provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' } as const
  await world.db.insert(providerPrices).values({ id: known, ...price, amount: 1000, currency: 'USD', isCurrent: false })
  const id = await world.buy({ planId, more: { quantity: '3' } })
  world.deps.paypal.subscriptions = async () => ({
    subscriptions: [await world.deps.paypal.readSubscription(id)],
    hasMore: false,
  })
  await syncSales({ ...world.deps, say: () => undefined })
  await world.revise(id, { plan_id: known, quantity: '3' })
  await world.sync(id)
  expect(await transfersIn(world).stored(id)).toMatchObject({ status: 'active', productCode: planId, userCount: 3 })
})

test('a price that the vendor has raised and put back, and an answer without the plan, keep nobody waiting', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const id = await world.buy({ planId, more: { quantity: '3' } })
  const row = async () => (await world.listed())[0]
  answering(world, () => ({ amount: null, interval: null, currency: '' }))
  await world.sync(id)
  vi.restoreAllMocks()
  const raised = answering(world, () => ({ amount: 1500 }))
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little' }])
  raised.mockRestore()
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 3 })
})

test('what waits goes on waiting beside a further trial, of which nothing is granted', async () => {
  await using world = await termsVendor(sandbox)
  const trial = await world.ownPlan({ trial: freeMonths(1) })
  const plain = await world.siblingPlan(trial, { value: '10', unit: 'MONTH' })
  const price = { provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' } as const
  for (const id of [trial, plain]) {
    await world.db.insert(providerPrices).values({ id, ...price, amount: 1000, currency: 'USD', isCurrent: false })
  }
  const first = await world.buy({ planId: trial })
  await world.sync(first)
  await world.call('POST', `/v1/billing/subscriptions/${first}/cancel`, { reason: 'Test' })
  const id = await world.buy({ planId: plain, more: { quantity: '50', plan: priceOf('9') } })
  await world.sync(id)
  await world.revise(id, { plan_id: trial, quantity: '50' })
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  expect(await world.waiting(id)).toMatchObject([{ amount: 45_000, acceptedAt: null }])
  expect(await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))).toEqual([])
})

test('what a file has brought was paid for as the file says, whatever it is revised to after its first reading', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const id = await world.buy({ planId, customId: 'somebody else', more: { quantity: '10' } })
  await world.revise(id, { plan_id: planId, quantity: '15' })
  const { email } = world.buyer
  const paid = {
    periodStart: world.inDays(0),
    periodEnd: world.inDays(30),
    currency: 'USD',
    term: 'monthly',
    price: 10_000,
  }
  const row = { type: 'subscription', subscriptionId: id, email, productCode: world.productCode, userCount: 10 }
  await load(world, [{ ...row, ...paid, status: 'active', origin: 'online', channel: 'paypal', autoRenewal: true }])
  for (const quantity of ['16', '10', '2']) {
    await world.sync(id)
    const items = [{ priceId: planId, quantity: 10 }]
    expect(await transfersIn(world).stored(id)).toMatchObject({ status: 'active', userCount: 10, providerItems: items })
    await world.revise(id, { plan_id: planId, quantity })
  }
})

test('a month of a trial that was paid while it was nobody’s is there once it is linked, revised since or not', async () => {
  await using world = await termsVendor(sandbox)
  const month = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('1') } }
  const planId = await world.ownPlan({ trial: month })
  const plain = await world.siblingPlan(planId, { value: '20', unit: 'MONTH' })
  const id = await world.buy({ planId, customId: 'nobody', more: { quantity: '3' } })
  await world.sync(id)
  await world.revise(id, { plan_id: plain, quantity: '1' })
  await world.sync(id)
  const link = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([world.buyer.email, id])
  await link?.(world.db, () => undefined, { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() })
  await findPaypalSubscription(world.deps, id)
  expect((await world.listed())[0]).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 3 })
  const [paid] = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(paid?.lines).toMatchObject([{ amount: 300, facts: { kind: 'period', quantity: 3 } }])
})
