import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { load } from '../../test/import.ts'
import { freeMonths, paidWeekAndFreeMonth, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import type { TestMember } from '../../test/world.ts'
import { providerPrices } from '../catalog/provider-prices.tables.ts'
import { paypalTrials } from '../subscriptions/paypal-trials.tables.ts'

const sandbox = await sandboxOfFile()

/** Months of a trial for a price in dollars. */
const months = (many: number, value: string) => ({ ...freeMonths(many), pricing_scheme: { fixed_price: usd(value) } })

/** Plans of two products between which PayPal revises. */
async function vendor() {
  const world = await termsVendor(sandbox)
  const own = await world.ownPlan()
  const { stored } = transfersIn(world)
  const add = async (id: string, productCode: string) => {
    const price = { term: 'monthly', amount: 1000, currency: 'USD', isCurrent: false } as const
    await world.db.insert(providerPrices).values({ id, provider: 'paypal', productId: 'own', productCode, ...price })
    return id
  }
  const read = async (id: string) => {
    await world.sync(id)
    return stored(id)
  }
  return {
    ...{ ...world, stored, read },
    async plan(trials: readonly object[], productCode = world.productCode, taxes?: object) {
      return add(
        await world.siblingPlan(own, { value: '10', unit: 'MONTH', trials, ...(taxes && { taxes }) }),
        productCode,
      )
    },
    /** One with a setup fee of $12, which is charged later if it fails. */
    async feePlan(trials: readonly object[]) {
      const preferences = { setup_fee: usd('12'), setup_fee_failure_action: 'CONTINUE' }
      return add(await world.siblingPlan(own, { value: '10', unit: 'MONTH', trials, preferences }), world.productCode)
    },
    async tried(planId: string, quantity: string) {
      const id = await world.buy({ planId, more: { quantity } })
      await world.sync(id)
      return id
    },
    async end(id: string) {
      await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
      return read(id)
    },
    async approve(id: string) {
      const { links } = Approvable.parse(await world.call('GET', `/v1/billing/subscriptions/${id}`))
      const link = links.find(({ rel }) => rel === 'approve')?.href
      await world.control('POST', 'approvals/', { link, answer: 'approve' })
    },
    async clear(id: string, isCleared: boolean) {
      const [held] = (await world.deps.paypal.readSubscription(id)).payments
      await world.control('POST', `payments/${held?.id}/clear/`, { isCleared })
      await world.sync(id)
    },
    /** What a file says is a trial of ten seats for 27 days. */
    async file(id: string) {
      const whose = { subscriptionId: id, email: world.buyer.email, productCode: world.productCode }
      const period = { periodStart: world.inDays(-3), periodEnd: world.inDays(27), trialEnd: world.inDays(27) }
      const line = { ...whose, ...period, type: 'subscription', userCount: 10, autoRenewal: true, status: 'trialing' }
      await load(world, [{ ...line, origin: 'online', channel: 'paypal' }])
    },
  }
}

const Approvable = z.object({ links: z.array(z.object({ rel: z.string(), href: z.string() })) })

const daysBetween = (from: Date | null, until: Date | null) => (Number(until) - Number(from)) / 86_400_000

test.each([
  ['another product', 'suite', '10'],
  ['another product with fewer seats', 'suite', '1'],
  ['a longer trial', 'longer', '10'],
])('a trial that a file has brought stays what it was, revised to %s before it is read', async (_to, to, quantity) => {
  await using world = await vendor()
  const suite = await world.plan([], world.suiteCode)
  const longer = await world.plan([freeMonths(6)])
  const id = await world.buy({ planId: await world.plan([freeMonths(1)]), customId: 'x', more: { quantity: '10' } })
  await world.advanceTo(world.inDays(3))
  await world.revise(id, { plan_id: to === 'suite' ? suite : longer, quantity })
  await world.file(id)
  const { trialEnd } = await world.stored(id)
  const same = { productCode: world.productCode, userCount: 10 }
  for (let reading = 0; reading < 3; reading += 1) {
    const row = await world.read(id)
    expect(row).toMatchObject({ status: 'trialing', ...same })
    expect(Math.abs(daysBetween(row.trialEnd, trialEnd))).toBeLessThan(1)
  }
  const ended = await world.end(id)
  expect(ended).toMatchObject({ status: 'active', ...same })
  expect(Math.abs(daysBetween(ended.cancelAt, trialEnd))).toBeLessThan(1)
})

test('the setup fee of a trial that a file has brought pays for no month of another', async () => {
  await using world = await vendor()
  const planId = await world.feePlan([freeMonths(6)])
  const introductory = await world.plan([months(1, '1')])
  const id = await world.buy({ planId, customId: 'x', more: { quantity: '10' } })
  await world.advanceTo(world.inDays(3))
  await world.revise(id, { plan_id: introductory, quantity: '12' })
  await world.file(id)
  for (const quantity of ['12', '1']) {
    await world.revise(id, { plan_id: introductory, quantity })
    expect(await world.read(id)).toMatchObject({ status: 'trialing', userCount: 10 })
  }
})

test('what is paid of a trial that a file has brought is granted for what it was, revised to more seats', async () => {
  await using world = await vendor()
  const planId = await world.plan([months(3, '1')])
  const id = await world.buy({ planId, customId: 'x', more: { quantity: '10' } })
  await world.advanceTo(world.inDays(3))
  await world.revise(id, { plan_id: planId, quantity: '20' })
  await world.file(id)
  expect(await world.read(id)).toMatchObject({ status: 'trialing', userCount: 10 })
  for (const days of [30, 31]) {
    await world.daysLater(days, id)
    expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 20 })
    expect(await world.waiting(id)).toEqual([])
  }
})

test('a further trial stays one, revised to another product with a trial and back', async () => {
  await using world = await vendor()
  const planId = await world.plan(paidWeekAndFreeMonth)
  const suite = await world.plan([months(1, '5')], world.suiteCode)
  await world.end(await world.tried(planId, '1'))
  const id = await world.buy({ planId, more: { quantity: '50', start_time: world.inDays(0.02) } })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(0.1, id)
  await world.revise(id, { plan_id: suite, quantity: '1' })
  await world.sync(id)
  await world.clear(id, true)
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 50, trialProduct: '' })
  await world.revise(id, { plan_id: planId, quantity: '1' })
  const { trialEnd } = await world.read(id)
  expect(daysBetween(world.deps.clock(), trialEnd)).toBeLessThan(8)
  await world.end(id)
  await world.daysLater(10, id)
  expect((await world.stored(id)).status).toBe('canceled')
})

test('a setup fee that is collected with the first month of a trial is paid for the others, too', async () => {
  await using world = await vendor()
  const planId = await world.feePlan([months(3, '1')])
  const id = await world.buy({ planId, answer: 'no-funds', more: { quantity: '3' } })
  await world.sync(id)
  await world.fund(id, true)
  for (const days of [6, 28, 31]) {
    await world.daysLater(days, id)
    expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 3 })
    expect(await world.waiting(id)).toEqual([])
  }
})

test('a month of a trial that was not paid moves none of those that are', async () => {
  await using world = await vendor()
  const planId = await world.plan([months(3, '1')])
  const id = await world.buy({ planId, more: { quantity: '3', start_time: world.inDays(0.02) } })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.daysLater(0.1, id)
  await world.daysLater(4, id)
  await world.clear(id, false)
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: false })
  for (const days of [29, 31]) {
    await world.daysLater(days, id)
    const { status, trialEnd } = await world.stored(id)
    expect(status).toBe('trialing')
    expect(daysBetween(world.deps.clock(), trialEnd)).toBeGreaterThan(20)
  }
})

test('a trial that was paid ends with its setup fee, if that is given back', async () => {
  await using world = await vendor()
  const id = await world.tried(await world.feePlan([months(1, '1')]), '50')
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 50 })
  const fee = (await world.deps.paypal.readSubscription(id)).payments.find(({ amount }) => amount === 1200)
  await world.told('refund', await world.refund(fee?.id ?? ''))
  expect((await world.read(id)).status).toBe('pending')
})

test('in the days of retries of a trial there are the seats that could not be collected, whatever its other months cost', async () => {
  await using world = await vendor()
  const week = { ...months(1, '1'), frequency: { interval_unit: 'WEEK', interval_count: 1 } }
  const planId = await world.plan([week, { ...months(1, '9'), sequence: 2 }])
  const id = await world.tried(planId, '50')
  await world.revise(id, { plan_id: planId, quantity: '6' })
  await world.sync(id)
  await world.fund(id, false)
  for (const days of [7.5, 5]) {
    await world.daysLater(days, id)
    expect(await world.stored(id)).toMatchObject({ status: 'past_due', userCount: 6 })
  }
})

test.each([
  ['that was paid ends with its payment', months(6, '1'), false],
  ['that is free ends with its setup fee', freeMonths(6), true],
])('a trial that was transferred and %s, if that is given back', async (_name, trial, hasFee) => {
  await using world = await vendor()
  const planId = hasFee ? await world.feePlan([trial]) : await world.plan([trial])
  const id = await world.tried(planId, '50')
  await world.daysLater(1, id)
  const recipient = await world.member()
  const fresh = async (member: TestMember) => ({ ...member, cookie: await world.session(member.id) })
  const { transfer } = transfersIn(world)
  expect((await transfer(await fresh(world.buyer), await fresh(recipient))).status).toBe(200)
  expect(await world.stored(id)).toMatchObject({ memberId: recipient.id, status: 'trialing' })
  const [sale = ''] = await world.sales(id)
  await world.told('refund', await world.refund(sale))
  expect((await world.read(id)).status).toBe('canceled')
})

test('a setup fee that is collected days later begins the free trial', async () => {
  await using world = await vendor()
  const id = await world.buy({ planId: await world.feePlan([freeMonths(6)]), answer: 'no-funds' })
  await world.sync(id)
  await world.fund(id, true)
  for (const days of [6, 28]) {
    await world.daysLater(days, id)
    expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 3 })
    expect(await world.waiting(id)).toEqual([])
  }
})

test('a trial whose setup fee is paid goes on, revised to a plan with a tax on top', async () => {
  await using world = await vendor()
  const id = await world.tried(await world.feePlan([freeMonths(6)]), '5')
  const taxed = await world.plan([], world.productCode, { percentage: '20', inclusive: false })
  await world.revise(id, { plan_id: taxed, quantity: '5' })
  expect(await world.read(id)).toMatchObject({ status: 'trialing', userCount: 5 })
})

test('free months are of what the trial is of, whatever could not be collected or was paid between them', async () => {
  await using world = await vendor()
  const free = await world.plan([freeMonths(6)])
  const suite = await world.plan([months(3, '5')], world.suiteCode)
  const id = await world.tried(free, '1')
  await world.fund(id, false)
  await world.revise(id, { plan_id: await world.plan([]), quantity: '25' })
  await world.daysLater(31.5, id)
  await world.revise(id, { plan_id: suite, quantity: '50' })
  await world.fund(id, true)
  await world.daysLater(5, id)
  await world.fund(id, false)
  for (const days of [28, 10]) await world.daysLater(days, id)
  const { status, productCode, userCount } = await world.end(id)
  expect(status === 'active' ? { productCode, userCount } : {}).not.toMatchObject({ productCode: world.suiteCode })
})

test('a trial that has ended while it was suspended does not begin again with its cancellation', async () => {
  await using world = await vendor()
  const id = await world.tried(await world.plan([freeMonths(6)]), '5')
  await world.call('POST', `/v1/billing/subscriptions/${id}/suspend`, { reason: 'Test' })
  await world.sync(id)
  await world.daysLater(40, id)
  expect((await world.stored(id)).status).toBe('canceled')
  await world.daysLater(30, id)
  expect((await world.end(id)).status).toBe('canceled')
})

test.each([
  ['the week that is paid', 3],
  ['the free month', 12],
])('a trial that an earlier version has granted goes on in %s', async (_when, day) => {
  await using world = await vendor()
  const id = await world.tried(await world.plan(paidWeekAndFreeMonth), '5')
  await world.daysLater(day, id)
  await world.db.delete(paypalTrials).where(eq(paypalTrials.subscriptionId, id))
  await world.sync(id)
  await world.daysLater(14, id)
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 5 })
})

test.each([
  ['free months', [freeMonths(6)], 30],
  ['a week that is paid and a free month', paidWeekAndFreeMonth, 7],
])('what PayPal bills late of a plan to which %s are revised is paid for that', async (_name, trials, days) => {
  await using world = await vendor()
  const start = new Date(world.inDays(1))
  start.setUTCHours(6, 0, 0, 0)
  await world.advanceTo(start.toISOString())
  const id = await world.tried(await world.plan(trials), '10')
  await world.daysLater(days - 5, id)
  await world.revise(id, { plan_id: await world.plan([]), quantity: '100' })
  const { nextBillingAt } = await world.deps.paypal.readSubscription(id)
  const billedAt = Number(nextBillingAt)
  await sandbox.advanceTo(new Date(billedAt - 60_000))
  // The job that reads what ends does so before PayPal has billed it.
  world.at(new Date(billedAt + 1_800_000))
  expect(await world.read(id)).toMatchObject({ userCount: 10 })
  await world.advanceTo(new Date(billedAt + 7_200_000).toISOString())
  expect(await world.read(id)).toMatchObject({ status: 'active', userCount: 100, trialEnd: null })
})

test('a trial whose setup fee is on its way is what it was, revised to a plan without one', async () => {
  await using world = await vendor()
  const planId = await world.feePlan([freeMonths(6)])
  const id = await world.buy({ planId, answer: 'none', more: { quantity: '5' } })
  await world.control('PUT', `echecks/${id}/`, { paysByEcheck: true })
  await world.approve(id)
  await world.sync(id)
  await world.revise(id, { plan_id: await world.plan([]), quantity: '50' })
  await world.sync(id)
  await world.clear(id, true)
  expect(await world.stored(id)).toMatchObject({ status: 'trialing', userCount: 5 })
})

test('free months follow no week of another plan that was paid', async () => {
  await using world = await vendor()
  const week = { ...paidWeekAndFreeMonth[0], pricing_scheme: { fixed_price: usd('0.10') } }
  const cheap = await world.plan([week])
  const id = await world.buy({
    planId: await world.plan(paidWeekAndFreeMonth),
    answer: 'no-funds',
    more: { quantity: '5' },
  })
  await world.sync(id)
  await world.revise(id, { plan_id: cheap, quantity: '50' })
  await world.fund(id, true)
  await world.daysLater(6, id)
  await world.fund(id, false)
  await world.daysLater(4, id)
  const { status, trialEnd } = await world.end(id)
  expect(status === 'active' ? daysBetween(world.deps.clock(), trialEnd) : 0).toBeLessThan(1)
})

test('a trial that an earlier version has granted is no longer for terms of its buyer’s own', async () => {
  await using world = await vendor()
  const planId = await world.plan([freeMonths(1)])
  const id = await world.tried(planId, '5')
  const { trialEnd } = await world.stored(id)
  await world.db.delete(paypalTrials).where(eq(paypalTrials.subscriptionId, id))
  await world.revise(id, { plan_id: planId, plan: { billing_cycles: [{ sequence: 1, total_cycles: 24 }] } })
  expect(Math.abs(daysBetween((await world.read(id)).trialEnd, trialEnd))).toBeLessThan(1)
  await world.daysLater(40, id)
  expect((await world.stored(id)).status).not.toBe('trialing')
})
