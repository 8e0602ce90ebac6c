import { expect, test } from 'vitest'
import { freeMonths, paidWeekAndFreeMonth, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'

const sandbox = await sandboxOfFile()

/** A plan with a free month, and its siblings: one without, and one with six free months. All cost $10 a seat and month. */
async function vendor({ fee = '0' } = {}) {
  const world = await termsVendor(sandbox)
  const preferences = { setup_fee: usd(fee) }
  const planId = await world.ownPlan({ trial: freeMonths(1), preferences })
  const plain = await world.siblingPlan(planId, { value: '10', unit: 'MONTH' })
  const intro = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('1') } }
  const introductory = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [intro] })
  const longer = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [freeMonths(6)] })
  const price = { term: 'monthly', amount: 1000, currency: 'USD', isCurrent: false } as const
  const product = { provider: 'paypal', productId: 'own', productCode: world.productCode } as const
  const add = (id: string) => world.db.insert(providerPrices).values({ id, ...product, ...price })
  for (const id of [planId, plain, introductory, longer]) await add(id)
  const row = async () => (await world.listed())[0]
  return {
    ...{ ...world, planId, plain, introductory, longer, row, add },
    /** One without a trial, with a fee in dollars, and its sibling without a fee. */
    async feePlans(fee = '500') {
      const feePlan = await world.ownPlan({ preferences: { setup_fee: usd(fee) } })
      const feeless = await world.siblingPlan(feePlan, { value: '10', unit: 'MONTH' })
      for (const id of [feePlan, feeless]) await add(id)
      return { feePlan, feeless }
    },
    async tried(quantity: string) {
      const id = await world.buy({ planId, more: { quantity } })
      await world.sync(id)
      expect(await row()).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
      return id
    },
    async end(id: string, how: string) {
      await world.call('POST', `/v1/billing/subscriptions/${id}/${how}`, { reason: 'Test' })
      await world.sync(id)
    },
  }
}

test.each(['cancel', 'suspend'])(
  'a plan with a longer trial, paid once after a trial and given back, begins no trial with a %s',
  async (how) => {
    await using world = await vendor()
    const id = await world.tried('1')
    await world.revise(id, { plan_id: world.longer, quantity: '50' })
    await world.sync(id)
    await world.daysLater(32, id)
    expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
    const sale = (await world.sales(id)).at(-1) ?? ''
    await world.told('refund', await world.refund(sale))
    await world.sync(id)
    expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
    await world.end(id, how)
    expect((await world.row())?.stripeSubscriptionStatus).not.toBe('active')
  },
)

test.each(['in the trial', 'after its failure'])(
  'what PayPal could not collect is no longer trial, revised %s to a plan with one',
  async (when) => {
    await using world = await vendor()
    const id = await world.tried('50')
    // PayPal bills at its own time of that day.
    const trialEnd = expect.stringContaining((await world.row())?.trialEnd?.slice(0, 10) ?? '')
    await world.fund(id, false)
    const revise = () => world.revise(id, { plan_id: world.longer, quantity: '50' })
    if (when === 'in the trial') await revise()
    for (const days of [31, 5, 6]) await world.daysLater(days, id)
    if (when === 'after its failure') await revise()
    await world.sync(id)
    expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'past_due', trialEnd })
    await world.end(id, 'cancel')
    expect((await world.row())?.trialEnd).toEqual(trialEnd)
    await world.daysLater(12, id)
    expect((await world.row())?.stripeSubscriptionStatus).toBe('canceled')
  },
)

test('what could not be collected after a trial prolongs none, revised to fewer seats of a plan with a longer one', async () => {
  await using world = await vendor()
  const id = await world.tried('50')
  const { trialEnd = '' } = (await world.row()) ?? {}
  await world.revise(id, { plan_id: world.longer, quantity: '49' })
  await world.fund(id, false)
  await world.daysLater(32, id)
  for (let reading = 0; reading < 3; reading += 1) {
    expect((await world.row())?.trialEnd?.slice(0, 10)).toBe(trialEnd?.slice(0, 10))
    await world.sync(id)
  }
})

test('a setup fee pays for no month of a plan to which a trial is revised, however few its seats are', async () => {
  await using world = await vendor({ fee: '12' })
  const id = await world.tried('50')
  const before = await world.row()
  await world.revise(id, { plan_id: world.plain, quantity: '1' })
  await world.sync(id)
  const { trialEnd, userCount } = before ?? {}
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd, userCount })
  await world.daysLater(32, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 1 })
})

test('the second of three introductory months pays for no month of a plan to which it is revised', async () => {
  await using world = await vendor()
  const intro = { ...freeMonths(3), pricing_scheme: { fixed_price: usd('1') } }
  const plan = await world.ownPlan({ trial: intro })
  const plain = await world.siblingPlan(plan, { value: '10', unit: 'MONTH' })
  const id = await world.buy({ planId: plan, more: { quantity: '50' } })
  await world.sync(id)
  await world.daysLater(33, id)
  const { trialEnd = '' } = (await world.row()) ?? {}
  await world.revise(id, { plan_id: plain, quantity: '5' })
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', trialEnd, userCount: 50 })
})

test('the days of retries after a trial are of the seats that could not be collected', async () => {
  await using world = await vendor()
  const id = await world.tried('50')
  await world.fund(id, false)
  await world.advanceTo(world.inDays(28))
  await world.revise(id, { plan_id: world.plain, quantity: '1' })
  await world.daysLater(4, id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'past_due', userCount: 1 })
})

const ownFee = { plan: { payment_preferences: { setup_fee: usd('10') } } }

test.each(['the plan without one', 'a plan with an introductory month'])(
  'a further trial that is revised to one seat of %s has one, whatever was paid with the approval',
  async (to) => {
    await using world = await vendor()
    await world.end(await world.tried('1'), 'cancel')
    const id = await world.buy({ planId: world.planId, more: { quantity: '50', ...ownFee } })
    const read = async () => {
      await world.sync(id)
      return (await world.listed()).find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)
    }
    await read()
    await world.revise(id, { plan_id: world.planId, quantity: '50' })
    expect(await read()).toMatchObject({ stripeSubscriptionStatus: 'pending' })
    const plan_id = to === 'the plan without one' ? world.plain : world.introductory
    await world.revise(id, { plan_id, quantity: '1' })
    expect((await read())?.userCount).toBe(1)
  },
)

test('a setup fee that is kept of a month that was given back pays for no month of a plan without one', async () => {
  await using world = await vendor()
  const { feePlan, feeless } = await world.feePlans('12')
  const id = await world.buy({ planId: feePlan, more: { quantity: '50' } })
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  const { paidBy } = await transfersIn(world).stored(id)
  await world.told('refund', await world.refund(paidBy ?? ''))
  await world.sync(id)
  await world.revise(id, { plan_id: feeless, quantity: '1' })
  await world.sync(id)
  expect((await world.row())?.stripeSubscriptionStatus).not.toBe('active')
})

test('a setup fee pays for no year of a plan whose first payment has failed, also shortly before the start', async () => {
  await using world = await vendor()
  const { feePlan, feeless } = await world.feePlans()
  const id = await world.buy({ planId: feePlan, more: { quantity: '50', start_time: world.inDays(0.8) } })
  await world.revise(id, { plan_id: feeless, quantity: '50' })
  await world.fund(id, false)
  for (const days of [2, 5, 6, 10]) {
    await world.daysLater(days, id)
    expect((await world.row())?.stripeSubscriptionStatus ?? 'pending').toBe('pending')
  }
})

/** Fifty seats with a fee of $10 of their own, of which the first month is collected by a retry; revised to one seat then. */
async function retriedAndRevised() {
  const world = await vendor()
  const { feeless } = await world.feePlans()
  const start = { start_time: world.inDays(0.02), plan: { payment_preferences: { setup_fee: usd('10') } } }
  const id = await world.buy({ planId: feeless, more: { quantity: '50', ...start } })
  await world.fund(id, false)
  await world.daysLater(1, id)
  await world.fund(id, true)
  await world.daysLater(5, id)
  await world.revise(id, { plan_id: feeless, quantity: '1' })
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 50 })
  return { world, id }
}

test('seats whose payment is given back after a revision to one are not kept for the fee beside it', async () => {
  const { world, id } = await retriedAndRevised()
  await using _ = world
  const { paidBy } = await transfersIn(world).stored(id)
  await world.told('refund', await world.refund(paidBy ?? ''))
  await world.sync(id)
  expect((await world.row())?.userCount).toBe(1)
})

test('a fee pays for no month of a plan to which it is revised once the first month has failed', async () => {
  await using world = await vendor()
  const { feePlan, feeless } = await world.feePlans()
  const id = await world.buy({ planId: feePlan, more: { quantity: '50', start_time: world.inDays(0.02) } })
  await world.fund(id, false)
  await world.daysLater(0.1, id)
  await world.revise(id, { plan_id: feeless, quantity: '50' })
  for (const days of [0.1, 4, 10]) {
    await world.daysLater(days, id)
    expect((await world.row())?.stripeSubscriptionStatus ?? 'pending').toBe('pending')
  }
})

test('a further trial that was canceled has the one seat that an eCheck pays for, once it clears', async () => {
  await using world = await vendor()
  await world.tried('1')
  const more = { quantity: '50', start_time: world.inDays(0.02) }
  const id = await world.buy({ planId: world.planId, more })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.sync(id)
  await world.revise(id, { plan_id: world.plain, quantity: '1' })
  await world.sync(id)
  await world.daysLater(0.1, id)
  await world.end(id, 'cancel')
  const [held] = (await world.deps.paypal.readSubscription(id)).payments
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  await world.sync(id)
  expect(await transfersIn(world).stored(id)).toMatchObject({ status: 'active', userCount: 1 })
})

test('a week of a further trial that was paid is none of a plan with an introductory month, however often it is read', async () => {
  await using world = await vendor()
  await world.end(await world.tried('1'), 'cancel')
  const planId = await world.ownPlan({ trials: paidWeekAndFreeMonth })
  const month = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('9') } }
  const introductory = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [month] })
  for (const id of [planId, introductory]) await world.add(id)
  const id = await world.buy({ planId, more: { quantity: '50' } })
  await world.sync(id)
  const read = async () => {
    await world.sync(id)
    return (await world.listed()).find(({ stripeSubscriptionId }) => stripeSubscriptionId === id)
  }
  expect(await read()).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 50 })
  await world.daysLater(8.5, id)
  await world.revise(id, { plan_id: introductory, quantity: '1' })
  for (let reading = 0; reading < 3; reading += 1) expect((await read())?.stripeSubscriptionStatus).toBe('pending')
})

test.each(['15 minutes after its approval', 'a day ahead', 'with as much owed'])(
  'no trial begins with a revision to a plan whose setup fee nobody has paid, %s',
  async (when) => {
    await using world = await vendor()
    const planId = await world.ownPlan({ trial: freeMonths(6), preferences: { setup_fee: usd('100') } })
    const plain = await world.siblingPlan(planId, { value: '10', unit: 'MONTH' })
    for (const id of [planId, plain]) await world.add(id)
    const start = when === 'a day ahead' ? 1 : 0.01
    const quantity = when === 'with as much owed' ? '10' : '1'
    const id = await world.buy({ planId: plain, more: { quantity, start_time: world.inDays(start) } })
    await world.fund(id, false)
    if (when !== 'a day ahead') await world.daysLater(0.1, id)
    await world.revise(id, { plan_id: planId, quantity: '50' })
    for (const days of [0.1, 2, 20]) {
      await world.daysLater(days, id)
      expect((await world.row())?.stripeSubscriptionStatus ?? 'pending').toBe('pending')
    }
  },
)

test('a week of a trial that an eCheck pays for is a week, also once it clears after a revision to a longer one', async () => {
  await using world = await vendor()
  const week = {
    frequency: { interval_unit: 'WEEK', interval_count: 1 },
    tenure_type: 'TRIAL',
    sequence: 1,
    total_cycles: 1,
  }
  const planId = await world.ownPlan({ trial: { ...week, pricing_scheme: { fixed_price: usd('1') } } })
  const month = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('9') } }
  const introductory = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [month] })
  for (const id of [planId, introductory]) await world.add(id)
  const id = await world.buy({ planId, more: { quantity: '50', start_time: world.inDays(0.02) } })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(0.1, id)
  await world.revise(id, { plan_id: introductory, quantity: '1' })
  await world.daysLater(3, id)
  const [held] = (await world.deps.paypal.readSubscription(id)).payments
  await world.control('POST', `payments/${held?.id}/clear/`, { isCleared: true })
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'trialing', userCount: 50 })
  const { trialEnd } = await transfersIn(world).stored(id)
  expect(Number(trialEnd) - Number(held?.at)).toBeLessThan(8 * 86_400_000)
})

test('what was owed pays for no introductory month of a plan whose setup fee nobody has paid', async () => {
  await using world = await vendor()
  const month = { ...freeMonths(1), pricing_scheme: { fixed_price: usd('1') } }
  const planId = await world.ownPlan({ trial: month, preferences: { setup_fee: usd('100') } })
  const plain = await world.siblingPlan(planId, { value: '10', unit: 'MONTH' })
  for (const id of [planId, plain]) await world.add(id)
  const id = await world.buy({ planId: plain, more: { quantity: '5', start_time: world.inDays(0.01) } })
  await world.fund(id, false)
  await world.daysLater(0.1, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.fund(id, true)
  await world.daysLater(6, id)
  expect((await world.deps.paypal.readSubscription(id)).payments).toMatchObject([{ amount: 5000 }])
  expect((await world.row())?.stripeSubscriptionStatus ?? 'pending').toBe('pending')
  expect(await world.waiting(id)).toMatchObject([{ amount: 5000 }])
})

test('a free trial ends with its setup fee, if that is given back', async () => {
  await using world = await vendor()
  const planId = await world.ownPlan({ trial: freeMonths(6), preferences: { setup_fee: usd('100') } })
  await world.add(planId)
  const id = await world.buy({ planId, more: { quantity: '50' } })
  await world.sync(id)
  expect(await world.row()).toMatchObject({ stripeSubscriptionStatus: 'trialing' })
  await world.told('refund', await world.refund((await world.sales(id))[0] ?? ''))
  for (const days of [1, 40]) {
    await world.daysLater(days, id)
    expect((await world.row())?.stripeSubscriptionStatus).toBe('pending')
  }
})

test('a free month that is revised to six of a plan with a setup fee is none of them, suspended over its end or not', async () => {
  await using world = await vendor()
  const planId = await world.ownPlan({ trial: freeMonths(6), preferences: { setup_fee: usd('100') } })
  const short = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [freeMonths(1)] })
  for (const id of [planId, short]) await world.add(id)
  const id = await world.buy({ planId: short, more: { quantity: '50' } })
  await world.sync(id)
  await world.revise(id, { plan_id: planId, quantity: '1' })
  await world.end(id, 'suspend')
  await world.daysLater(33, id)
  await world.end(id, 'activate')
  await world.daysLater(1, id)
  expect((await world.row())?.stripeSubscriptionStatus).toBe('pending')
})
