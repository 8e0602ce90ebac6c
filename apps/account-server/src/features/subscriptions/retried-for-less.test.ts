import { expect, test } from 'vitest'
import { freeMonths, priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'

const sandbox = await sandboxOfFile()

/** Twenty seats that were paid for a month; what they are revised to the day before the next one cannot be collected. */
async function revisedAndUnpaid(terms: object) {
  const world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const id = await world.buy({ planId, more: { quantity: '20' } })
  await world.sync(id)
  await world.daysLater(27, id)
  await world.revise(id, { plan_id: planId, quantity: '20', ...terms })
  await world.sync(id)
  const revised = (await world.listed())[0]
  await world.fund(id, false)
  await world.daysLater(6, id)
  return { world, id, planId, revised }
}

test.each([
  ['a price of a cent', priceOf('0.01'), {}],
  ['a quantity that is none', undefined, { quantity: '0.001' }],
])('in the days of retries there is nothing of what is retried for %s', async (_what, plan, more) => {
  const { world, id, planId, revised } = await revisedAndUnpaid({ ...(plan && { plan }), ...more })
  await using _ = world
  expect(revised).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 20 })
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])

  await world.revise(id, { plan_id: planId, quantity: '20' })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  await world.fund(id, true)
  await world.daysLater(30, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 20 }])
})

test('in the days of retries there are as many seats as are retried', async () => {
  const { world, id, planId, revised } = await revisedAndUnpaid({ quantity: '3' })
  await using _ = world
  expect(revised).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 20 })
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due', userCount: 3 }])

  await world.revise(id, { plan_id: planId, quantity: '20' })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due', userCount: 3 }])
  await world.fund(id, true)
  await world.daysLater(30, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 20 }])
})

test('more seats that are retried are there once they are paid', async () => {
  const { world } = await revisedAndUnpaid({ quantity: '40' })
  await using _ = world
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due', userCount: 20 }])
})

test('a year of few seats that is revised to months of many has as few in the days of retries', async () => {
  await using world = await termsVendor(sandbox)
  const [month, year] = [
    await world.planOf(world.productCode, 'monthly'),
    await world.planOf(world.productCode, 'yearly'),
  ]
  const id = await world.buy({ planId: year, more: { quantity: '10' } })
  await world.sync(id)
  await world.daysLater(360, id)
  await world.revise(id, { plan_id: month, quantity: '95' })
  await world.fund(id, false)
  await world.daysLater(7, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due', userCount: 10 }])
  await world.fund(id, true)
  await world.daysLater(7, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 95 }])
})

test('what was owed for fewer seats is not what the ones before cost', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const id = await world.buy({ planId, more: { quantity: '50' } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId, quantity: '49' })
  await world.fund(id, false)
  await world.daysLater(32, id)
  await world.daysLater(12, id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(20, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 1 }])
})

test('a whole month that is charged as the setup fee, shortly before the start, pays for none', async () => {
  const world = await termsVendor(sandbox)
  await using _ = world
  const planId = await world.planOf(world.productCode, 'monthly')
  const own = (fee: string) => ({ plan: { ...priceOf('0.01'), payment_preferences: { setup_fee: usd(fee) } } })
  const id = await world.buy({ planId, more: { quantity: '20', start_time: world.inDays(0.8), ...own('2000') } })
  await world.advanceTo(world.inDays(2))
  await world.revise(id, { plan_id: planId, quantity: '20', ...own('0') })
  await world.sync(id)
  expect(await world.listed()).toEqual([])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden' }])
})

test.each([
  ['more', '2', '5', '6', 5],
  ['less again', '2', '5', '2', 5],
  ['more again', '5', '3', '4', 3],
  ['less', '5', '3', '2', 3],
])(
  'what a retry collects is for what could not be collected, though it was revised to %s since',
  async (_what, bought, failed, since, paid) => {
    await using world = await termsVendor(sandbox)
    const planId = await world.planOf(world.productCode, 'monthly')
    const id = await world.buy({ planId, more: { quantity: bought } })
    await world.sync(id)
    await world.daysLater(20, id)
    await world.revise(id, { plan_id: planId, quantity: failed })
    await world.fund(id, false)
    await world.daysLater(12, id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'past_due' }])
    await world.revise(id, { plan_id: planId, quantity: since })
    await world.fund(id, true)
    await world.daysLater(6, id)
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: paid }])
    expect(await world.waiting(id)).toEqual([])
  },
)

test('a retry that collects two months is for the second, though it was revised since', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ preferences: { auto_bill_outstanding: true, payment_failure_threshold: 0 } })
  const id = await world.buy({ planId, more: { quantity: '5' } })
  await world.sync(id)
  await world.fund(id, false)
  for (const days of [31.6, 12]) await world.daysLater(days, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.daysLater(18.5, id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(5.1, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 50 }])
})

test('what a retry collects after a trial is for the seats that could not be collected', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan({ trial: freeMonths(1) })
  const id = await world.buy({ planId, more: { quantity: '25' } })
  await world.sync(id)
  await world.fund(id, false)
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.sync(id)
  await world.fund(id, true)
  await world.daysLater(5, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 25 }])
})

test('a month that is paid after one that was given up is for its own time', async () => {
  await using world = await termsVendor(sandbox)
  const preferences = { auto_bill_outstanding: false, payment_failure_threshold: 0 }
  const planId = await world.ownPlan({ preferences })
  const id = await world.buy({ planId, more: { quantity: '5' } })
  await world.sync(id)
  await world.fund(id, false)
  for (const days of [31.6, 14]) await world.daysLater(days, id)
  await world.fund(id, true)
  await world.daysLater(17, id)
  const { status, periodEnd } = await transfersIn(world).stored(id)
  expect(status).toBe('active')
  expect(Number(periodEnd)).toBeGreaterThan(Date.parse(world.inDays(20)))
})
