import { expect, test } from 'vitest'
import { termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const taxed = { percentage: '19', inclusive: false }

/** A plan of the catalog with a setup fee and a tax on top. */
async function vendor() {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { setup_fee: usd('50') }, taxes: taxed })
  await world.db.insert(providerPrices).values({
    ...{ id: planId, provider: 'paypal', productId: 'own', productCode: world.productCode, term: 'monthly' },
    ...{ amount: 1000, currency: 'USD', isCurrent: false },
  })
  return { ...world, planId }
}

test.each([
  ['without the setup fee', { payment_preferences: { setup_fee: usd('0') } }, 'setup fee 0 instead of 5000'],
  [
    'with a setup fee that may fail',
    { payment_preferences: { setup_fee_failure_action: 'CONTINUE', auto_bill_outstanding: false } },
    'a setup fee that is not collected later if it fails',
  ],
  [
    'with a setup fee that is owed if it fails',
    { payment_preferences: { setup_fee_failure_action: 'CONTINUE' } },
    'a setup fee that does not end it if it fails',
  ],
  [
    'so that what fails is never billed',
    { payment_preferences: { auto_bill_outstanding: false } },
    'less than its plan asks: what a cycle cannot collect is not billed with the next one',
  ],
  [
    'with the tax within its price',
    { taxes: { inclusive: true } },
    'a tax of 0 % on top and 19 % within the price instead of a tax of 19 % on top and 0 % within the price',
  ],
  [
    'without a tax',
    { taxes: { percentage: '0' } },
    'a tax of 0 % on top and 0 % within the price instead of a tax of 19 % on top',
  ],
])('a plan of the catalog that its buyer takes %s waits, and its line says so', async (_name, plan, words) => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId, more: { plan } })
  await world.sync(id)
  expect(await world.listed()).toEqual([])
  const [waits] = await world.waiting(id)
  expect(waits).toMatchObject({ reason: 'price_overridden', acceptedAt: null })
  expect((await unmatchedLines(world.db, 'paypal')).find((line) => line.includes(id))).toContain(words)

  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', price: 3000 }])
})

test.each([
  ['its own terms', undefined],
  ['a larger setup fee and tax', { payment_preferences: { setup_fee: usd('60') }, taxes: { percentage: '25' } }],
])('on %s it is granted', async (_name, plan) => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId, more: plan ? { plan } : {} })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
})

test('what is granted and revised so that what fails is never billed stays until its end, and its next payment waits', async () => {
  const world = await vendor()
  await using _ = world
  const id = await world.buy({ planId: world.planId })
  await world.sync(id)
  const [paid] = await world.listed()
  const preferences = { auto_bill_outstanding: false }
  await world.revise(id, { plan_id: world.planId, plan: { payment_preferences: preferences } })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeCurrentPeriodEnd: paid?.stripeCurrentPeriodEnd }])
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden' }])
})

test.each([
  ['its own terms', undefined],
  ['a larger tax', { taxes: { percentage: '25' } }],
])(
  'what is granted on %s and revised to no tax stays until its end, and its next payment waits',
  async (_name, plan) => {
    const world = await vendor()
    await using _ = world
    const id = await world.buy({ planId: world.planId, more: plan ? { plan } : {} })
    await world.sync(id)
    const [paid] = await world.listed()
    await world.revise(id, { plan_id: world.planId, plan: { taxes: { percentage: '0' } } })
    await world.sync(id)
    expect(await world.listed()).toMatchObject([{ stripeCurrentPeriodEnd: paid?.stripeCurrentPeriodEnd }])
    expect(await world.waiting(id)).toEqual([])
    await world.daysLater(36, id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
    expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden' }])
  },
)
