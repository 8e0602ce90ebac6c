import { expect, test } from 'vitest'
import { termsVendor, usd } from '../../test/paypal-terms.ts'
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
