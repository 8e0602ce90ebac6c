import { expect, test } from 'vitest'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { syncSale } from '../subscriptions/paypal-subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

const trial = {
  frequency: { interval_unit: 'MONTH', interval_count: 1 },
  ...{ tenure_type: 'TRIAL', sequence: 1, total_cycles: 3 },
  pricing_scheme: { fixed_price: usd('0') },
}

/** A subscription of $10 a month with a setup fee. */
async function bought({ fee, begins = 0, isTrial = false, action = 'CANCEL', answer = 'approve' }: Bought) {
  const world = await termsVendor(sandbox)
  const preferences = { setup_fee: usd(fee), setup_fee_failure_action: action, auto_bill_outstanding: false }
  const planId = await world.ownPlan({ preferences, ...(isTrial && { trial }) })
  const start = begins > 0 ? { start_time: world.inDays(begins) } : {}
  const id = await world.buy({ planId, answer, more: { quantity: '1', ...start } })
  await world.sync(id)
  return { world, id, row: async () => (await world.listed())[0] }
}

interface Bought {
  fee: string
  /** In how many days. */
  begins?: number
  isTrial?: boolean
  action?: string
  answer?: string
}

const dayMs = 86_400_000
const fees = ['5', '10', '20']

test.each(fees)('with a setup fee of $%s a free trial is a trial, until its end and a day', async (fee) => {
  const { world, id, row } = await bought({ fee, isTrial: true })
  await using _ = world
  const { trialEnd = '', accessEnd = '', stripeSubscriptionStatus } = (await row()) ?? {}
  expect(stripeSubscriptionStatus).toBe('trialing')
  expect(Date.parse(accessEnd ?? '') - Date.parse(trialEnd ?? '')).toBe(dayMs)
  for (const days of [36, 36]) {
    await world.daysLater(days, id)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  }

  await world.daysLater(21, id)
  expect(await world.sales(id)).toHaveLength(2)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
})

test.each(fees)('a setup fee of $%s that was paid ten days ahead pays for no month', async (fee) => {
  const { world, id, row } = await bought({ fee, begins: 10 })
  await using _ = world
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  await world.fund(id, false)
  await world.daysLater(11, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little', amount: Number(fee) * 100 }])

  await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'canceled' })
})

test.each(fees)('of a setup fee of $%s and a first month, the month is paid, and no other', async (fee) => {
  const { world, id, row } = await bought({ fee })
  await using _ = world
  expect(await world.sales(id)).toHaveLength(2)
  const { stripeCurrentPeriodEnd = '' } = (await row()) ?? {}
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
  expect(await world.waiting(id)).toEqual([])

  await world.fund(id, false)
  await world.daysLater(32, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'past_due', stripeCurrentPeriodEnd })
  await world.fund(id, true)
  await world.daysLater(6, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
})

test('of two equal payments one is the fee: given back, either leaves what the other is', async () => {
  for (const [place, status] of ['active', 'pending'].entries()) {
    const { world, id, row } = await bought({ fee: '10' })
    await using _ = world
    const sale = (await world.sales(id))[place] ?? ''
    await world.refund(sale)
    await syncSale(world.deps, sale)
    expect(await row()).toMatchObject({ stripeSubscriptionStatus: status })
  }
})

test('a fee that could not be collected takes nothing from the first month that is paid', async () => {
  const { world, id, row } = await bought({ fee: '20', action: 'CONTINUE', answer: 'no-funds' })
  await using _ = world
  expect(await row()).toBeUndefined()
  await world.fund(id, true)
  await world.daysLater(6, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'active' })
})

/** A free month with a fee of $200, as large as a year of the plan to which it is revised. */
async function revised({ isReadBefore }: { isReadBefore: boolean }) {
  const world = await termsVendor(sandbox)
  const preferences = { setup_fee: usd('200'), setup_fee_failure_action: 'CANCEL' }
  const planId = await world.ownPlan({ trial: { ...trial, total_cycles: 1 }, preferences })
  const yearly = await world.siblingPlan(planId, { value: '159', unit: 'YEAR' })
  const id = await world.buy({ planId, more: { quantity: '1' } })
  if (isReadBefore) await world.sync(id)
  const trialEnd = (await world.listed())[0]?.trialEnd ?? ''
  await world.revise(id, { plan_id: yearly })
  return {
    ...{ world, id, trialEnd },
    row: async () => (await world.listed())[0],
    cancel: () => world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' }),
  }
}

test('a free month that is revised to a year and canceled is used until its end, and its fee pays for no year', async () => {
  const { world, id, trialEnd, row, cancel } = await revised({ isReadBefore: true })
  await using _ = world
  await world.sync(id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd, autoRenewal: 1 })
  await cancel()
  await world.sync(id)
  const ending = { stripeSubscriptionStatus: 'active', nextPlanPeriodStart: trialEnd, accessEnd: trialEnd }
  expect(await row()).toMatchObject({ ...ending, autoRenewal: 0 })
  await world.daysLater(20, id)
  expect(await row()).toMatchObject(ending)

  await world.daysLater(20, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'canceled', accessEnd: trialEnd })
  expect([await world.sales(id), await world.waiting(id)]).toMatchObject([[expect.anything()], []])
})

test('so it is if nothing but the hourly jobs read it', async () => {
  const { world, id, trialEnd, row, cancel } = await revised({ isReadBefore: true })
  await using _ = world
  await cancel()
  const jobsInDays = async (many: number) => {
    await world.advanceTo(world.inDays(many))
    await world.hourlyJobsAt(world.deps.clock())
  }
  await jobsInDays(20)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd })
  await jobsInDays(20)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'canceled', accessEnd: trialEnd })
  expect(await world.sales(id)).toHaveLength(1)
})

test('a free month that is revised to a year goes on until that is paid', async () => {
  const { world, id, trialEnd, row } = await revised({ isReadBefore: true })
  await using _ = world
  await world.daysLater(20, id)
  expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd, price: 1000 })
  await world.daysLater(20, id)
  expect(await world.sales(id)).toHaveLength(2)
  const { stripeSubscriptionStatus, stripeCurrentPeriodEnd = '', price } = (await row()) ?? {}
  expect([stripeSubscriptionStatus, price]).toEqual(['active', 15_900])
  expect(Date.parse(stripeCurrentPeriodEnd) - Date.parse(trialEnd)).toBeGreaterThanOrEqual(365 * dayMs)
})

test('a fee beside a free month is no year that PayPal has when it is read first', async () => {
  const { world, id, row, cancel } = await revised({ isReadBefore: false })
  await using _ = world
  await cancel()
  await world.sync(id)
  expect(await row()).toBeUndefined()
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little', amount: 20_000 }])
})

test('a fee of the buyer’s own beside a month for a cent is no month, revised to the plan as it is', async () => {
  const world = await termsVendor(sandbox)
  await using _ = world
  const planId = await world.planOf(world.productCode, 'monthly')
  const plan = { ...priceOf('0.01'), payment_preferences: { setup_fee: usd('10') } }
  const id = await world.buy({ planId, more: { quantity: '1', plan } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId })
  await world.sync(id)
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little' }])
})
