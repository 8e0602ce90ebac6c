import { expect, test } from 'vitest'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** A plan of the catalog for $10 a month with a setup fee of $50, and what its vendor can change of it later. */
async function vendor(more: { trial?: object } = {}) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('50') }, ...more })
  await world.db.insert(providerPrices).values({
    ...{ id: planId, provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' },
    ...{ amount: 1000, currency: 'USD', isCurrent: false },
  })
  const plan = `/v1/billing/plans/${planId}`
  const replace = (path: string, value: unknown) => world.call('PATCH', plan, [{ op: 'replace', path, value }])
  const scheme = (value: string, sequence: number) => ({
    billing_cycle_sequence: sequence,
    pricing_scheme: { fixed_price: usd(value) },
  })
  return {
    ...{ ...world, planId },
    raiseFee: () => replace('/payment_preferences/setup_fee', usd('80')),
    raiseTax: () => replace('/taxes/percentage', '19'),
    setPrice: (value: string, sequence = 1) =>
      world.call('POST', `${plan}/update-pricing-schemes`, { pricing_schemes: [scheme(value, sequence)] }),
    row: async () => (await world.listed())[0],
    async accept(id: string) {
      const [waits] = await world.waiting(id)
      await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: await sandbox.now() })
      await world.sync(id)
    },
    open: async (id: string) => (await world.waiting(id)).filter(({ acceptedAt }) => acceptedAt === null),
  }
}

const own = (value: string) => ({ payment_preferences: { setup_fee: usd(value) } })

test.each([
  ['without the setup fee', own('0')],
  ['for less', { ...priceOf('4'), ...own('0') }],
  ['for less, with the setup fee', priceOf('4')],
])('what was accepted %s is renewed whatever its plan asks for later', async (_name, plan) => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId, more: { plan } })
  await world.sync(id)
  await world.accept(id)
  const { price } = (await world.row()) ?? {}
  await world.raiseFee()
  for (let month = 0; month < 2; month += 1) {
    await world.daysLater(32, id)
    expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price })
  }
  expect(await world.open(id)).toEqual([])
})

test('what its buyer took for no less is renewed after the vendor has raised the fee, the tax and the price', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId, more: { plan: { ...priceOf('11'), ...own('60') } } })
  await world.sync(id)
  await world.raiseFee()
  await world.raiseTax()
  await world.setPrice('15')
  await world.daysLater(32, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 3300 })
  await world.daysLater(32, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 3300 })
  expect(await world.open(id)).toEqual([])
})

test('what is read first after the fee was raised waits: its line says what its buyer and its plan ask for', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId, more: { plan: { ...priceOf('11'), ...own('60') } } })
  await world.raiseFee()
  await world.sync(id)
  expect(await world.row()).toBeUndefined()
  const line = (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id))
  expect(line).toContain('setup fee 6000, less than its plan asks: setup fee 6000 instead of 8000')
  await world.accept(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 3300 })
})

test('a price that the vendor raises is paid from ten days later, and each month is granted for what was charged', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId })
  await world.daysLater(27, id)
  await world.setPrice('15')
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 3000 })
  // Within ten days it is billed as before.
  await world.daysLater(5, id)
  const { price, stripeSubscriptionStatus } = (await world.row()) ?? {}
  expect([stripeSubscriptionStatus, price]).toEqual(['active', 3000])
  await world.daysLater(31, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 4500 })
  expect(await world.open(id)).toEqual([])
})

test('a price that the vendor lowers is granted for what was charged, too', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId })
  await world.sync(id)
  await world.setPrice('8')
  for (let month = 0; month < 2; month += 1) {
    await world.daysLater(32, id)
    expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 2400 })
  }
  expect(await world.open(id)).toEqual([])
})

test('what was paid at the earlier price, and is read first after that was raised, waits for the operator', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId })
  await world.setPrice('15')
  await world.sync(id)
  expect(await world.open(id)).toMatchObject([{ reason: 'paid_too_little', amount: 3000 }])
  await world.accept(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
  await world.daysLater(32, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
  expect(await world.open(id)).toEqual([])
})

test('a free trial that was begun stays one when its vendor asks for money for it later', async () => {
  const trial = {
    frequency: { interval_unit: 'MONTH', interval_count: 1 },
    ...{ tenure_type: 'TRIAL', sequence: 1, total_cycles: 1 },
    pricing_scheme: { fixed_price: usd('0') },
  }
  const world = await vendor({ trial })
  await using _ = world
  const id = await world.buy({ planId: world.planId })
  await world.sync(id)
  const { trialEnd } = (await world.row()) ?? {}
  await world.setPrice('5', 1)
  await world.daysLater(14, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd })
  await world.daysLater(20, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', price: 3000 })
})
