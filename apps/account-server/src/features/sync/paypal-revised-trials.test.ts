import { expect, test } from 'vitest'
import { freeMonths, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'

const sandbox = await sandboxOfFile()

/** A free trial of one seat that was read here. */
async function trial({ months }: { months: number }) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ trial: freeMonths(months) })
  const id = await world.buy({ planId, more: { quantity: '1' } })
  await world.sync(id)
  const row = async () => (await world.listed())[0]
  const { trialEnd = '' } = (await row()) ?? {}
  return {
    ...{ world, planId, id, row, trialEnd: trialEnd ?? '' },
    /** Another plan of the same product, with a trial as long as asked. */
    async planWithTrial(longer: number) {
      const { product_id } = await world.call('GET', `/v1/billing/plans/${planId}`)
      const plan = await world.call('POST', '/v1/billing/plans', {
        ...{ product_id, name: 'Other', quantity_supported: true, payment_preferences: {} },
        billing_cycles: [
          freeMonths(longer),
          {
            ...{ tenure_type: 'REGULAR', sequence: 2, total_cycles: 0, frequency: { interval_unit: 'MONTH' } },
            pricing_scheme: { fixed_price: usd('20') },
          },
        ],
      })
      return String(plan.id)
    },
    async cancel() {
      await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
      await world.sync(id)
    },
  }
}

const day = (time: string | null | undefined) => (time ?? '').slice(0, 10)

test.each([
  ['and is read meanwhile', true],
  ['and is not read meanwhile', false],
])(
  'a free trial that is revised to more seats %s has those of its start until its end, canceled or not',
  async (_name, isRead) => {
    const { world, id, row, trialEnd, cancel } = await trial({ months: 1 })
    await using _ = world
    await world.revise(id, { quantity: '50' })
    if (isRead) await world.sync(id)
    if (isRead) expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 1, trialEnd })
    await cancel()
    expect(await row()).toMatchObject({ autoRenewal: 0, userCount: 1 })
    expect(day((await row())?.accessEnd)).toBe(day(trialEnd))
    await world.daysLater(20, id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 1 })
  },
)

test('the seats of a revision within a free trial are there once they are paid', async () => {
  const { world, id, row } = await trial({ months: 1 })
  await using _ = world
  await world.revise(id, { quantity: '50' })
  await world.daysLater(20, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 1 })
  await world.daysLater(14, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50, price: 50_000 })
})

test.each([
  ['longer', 1, 6],
  ['shorter', 3, 1],
])('a free trial is as long as it was begun, revised to a plan with a %s one', async (_name, months, others) => {
  const { world, id, row, trialEnd, planWithTrial, cancel } = await trial({ months })
  await using _ = world
  await world.revise(id, { plan_id: await planWithTrial(others) })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 1, trialEnd, price: 1000 })
  await cancel()
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active', autoRenewal: 0 })
  expect(day((await row())?.accessEnd)).toBe(day(trialEnd))
})

test.each([
  ['a dearer month', 'MONTH', '25'],
  ['a dearer year', 'YEAR', '240'],
] as const)(
  'what was paid for a trial that costs more than its plan buys no month of it, revised to %s',
  async (_name, unit, value) => {
    await using world = await termsVendor(sandbox)
    const trial = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('20') } }
    const planId = await world.ownPlan({ trial })
    const id = await world.buy({ planId, more: { quantity: '1' } })
    await world.sync(id)
    const row = async () => (await world.listed())[0]
    const { trialEnd, accessEnd } = (await row()) ?? {}
    await world.revise(id, { plan_id: await world.siblingPlan(planId, { value, unit }) })
    for (let reading = 0; reading < 2; reading += 1) {
      await world.sync(id)
      expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd, userCount: 1, accessEnd })
    }
    await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
    await world.sync(id)
    expect(day((await row())?.accessEnd)).toBe(day(trialEnd))
  },
)

test.each([
  ['and is read before', true],
  ['and is not read before', false],
])(
  'what is revised before its start to a plan with a trial %s begins with that, and no trial is there before',
  async (_name, isRead) => {
    const world = await termsVendor(sandbox)
    await using _ = world
    const withTrial = await world.ownPlan({ trial: freeMonths(1) })
    const without = await world.siblingPlan(withTrial, { value: '10', unit: 'MONTH' })
    const id = await world.buy({ planId: without, more: { quantity: '1', start_time: world.inDays(9 * 365) } })
    if (isRead) await world.sync(id)
    await world.revise(id, { plan_id: withTrial, quantity: '500' })
    await world.sync(id)
    const ahead = { stripeSubscriptionStatus: 'pending', trialEnd: '' }
    expect(await world.listed()).toMatchObject([ahead])
    await world.daysLater(60, id)
    expect(await world.listed()).toMatchObject([ahead])
  },
)

test('after its trial, what is revised to a plan of another product with a trial has none of that', async () => {
  const { world, planId, id, row, planWithTrial } = await trial({ months: 1 })
  await using _ = world
  const cent = { billing_cycles: [{ sequence: 2, pricing_scheme: { fixed_price: usd('0.01') } }] }
  await world.revise(id, { plan_id: planId, quantity: '1', plan: cent })
  await world.daysLater(33, id)
  await world.revise(id, { plan_id: await planWithTrial(3), quantity: '500' })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  await world.daysLater(10, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
})

test('after its trial, what is revised to a plan of the same product with a longer one has none of that', async () => {
  const world = await termsVendor(sandbox)
  await using _ = world
  const planOf = async (planId: string) => {
    const product = { productId: 'own', productCode: world.productCode, term: 'monthly' } as const
    const price = { provider: 'paypal', amount: 1000, currency: 'USD', isCurrent: false } as const
    await world.db.insert(providerPrices).values({ id: planId, ...product, ...price })
    return planId
  }
  const planId = await planOf(await world.ownPlan({ trial: freeMonths(1) }))
  const id = await world.buy({ planId, more: { quantity: '1' } })
  await world.sync(id)
  const cent = { billing_cycles: [{ sequence: 2, pricing_scheme: { fixed_price: usd('0.01') } }] }
  await world.revise(id, { plan_id: planId, quantity: '1', plan: cent })
  await world.daysLater(33, id)
  const longer = await planOf(await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [freeMonths(3)] }))
  await world.revise(id, { plan_id: longer, quantity: '500' })
  await world.sync(id)
  expect((await world.listed())[0]).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  await world.daysLater(1, id)
  expect((await world.listed())[0]).toMatchObject({ stripeSubscriptionStatus: 'pending' })
})
