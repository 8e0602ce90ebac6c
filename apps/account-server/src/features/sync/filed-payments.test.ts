import { eq } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { load } from '../../test/import.ts'
import { freeMonths, priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { transfersIn } from '../../test/transfers.ts'
import { paypalPayments } from '../subscriptions/paypal-payments.tables.ts'
import { takeOverPaypalSubscription } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** Ten seats for $100 a month, bought at PayPal before anything of it was read; a file brings them. */
async function filed(more: object = {}) {
  const world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const id = await world.buy({ planId, customId: 'somebody else', more: { quantity: '10' } })
  const [start, end] = [world.inDays(0), new Date(world.deps.clock())]
  end.setUTCMonth(end.getUTCMonth() + 1)
  const bring = async () => {
    const whose = { type: 'subscription', subscriptionId: id, email: world.buyer.email, productCode: world.productCode }
    const paid = { userCount: 10, price: 10_000, currency: 'USD', term: 'monthly', autoRenewal: true, ...more }
    const period = { periodStart: start, periodEnd: end.toISOString() }
    await load(world, [{ ...whose, ...paid, ...period, status: 'active', origin: 'online', channel: 'paypal' }])
    await world.sync(id)
    return transfersIn(world).stored(id)
  }
  return { world, id, planId, bring, renewedAt: new Date(end.getTime() + 86_400_000).toISOString() }
}

test('what a file has brought is not of the plan to which it is revised before its first reading', async () => {
  const { world, id, bring } = await filed()
  await using _ = world
  const yearly = await world.planOf(world.productCode, 'yearly')
  await world.revise(id, { plan_id: yearly, quantity: '1' })
  const row = await bring()
  expect(row).toMatchObject({ status: 'active', userCount: 10, term: 'monthly', price: 10_000, providerItems: [] })
  expect(Number(row.periodEnd) - Number(row.periodStart)).toBeLessThan(32 * 86_400_000)
})

test('what a file has brought is for its period, revised to a dear trial before it is read', async () => {
  const { world, id, planId, bring } = await filed()
  await using _ = world
  const quarter = { ...freeMonths(2), pricing_scheme: { fixed_price: usd('25') } }
  const trial = { ...quarter, frequency: { interval_unit: 'MONTH', interval_count: 3 } }
  const dear = await world.siblingPlan(planId, { value: '10', unit: 'MONTH', trials: [trial] })
  await world.revise(id, { plan_id: dear, quantity: '1' })
  expect(await bring()).toMatchObject({ status: 'active', userCount: 10, trialEnd: null })
})

test.each(['before', 'after'])(
  'what PayPal bills some hours before the end of what a file has brought is for the plan of then, read first %s it',
  async (when) => {
    const { world, id, bring, renewedAt } = await filed()
    await using _ = world
    await world.revise(id, { plan_id: await world.planOf(world.suiteCode, 'monthly'), quantity: '10' })
    if (when === 'before') expect(await bring()).toMatchObject({ userCount: 10, productCode: world.productCode })
    await world.advanceTo(renewedAt)
    if (when === 'after') await bring()
    else await world.sync(id)
    expect(await transfersIn(world).stored(id)).toMatchObject({ status: 'active', productCode: world.suiteCode })
  },
)

test.each([1, 100])(
  'seats that a file has brought with storage of %i TB are billed as seats',
  async (storageCapacity) => {
    const { world, planId, bring } = await filed({ storageCapacity })
    await using _ = world
    const items = [{ priceId: planId, quantity: 10, amount: 1000 }]
    expect(await bring()).toMatchObject({ status: 'active', userCount: 10, providerItems: items })
  },
)

test('each payment of a trial that costs more than what follows is for a time of that', async () => {
  await using world = await termsVendor(sandbox)
  const quarters = { ...freeMonths(2), pricing_scheme: { fixed_price: usd('25') } }
  const trial = { ...quarters, frequency: { interval_unit: 'MONTH', interval_count: 3 } }
  const planId = await world.ownPlan({ trial })
  const id = await world.buy({ planId, more: { quantity: '3' } })
  await world.sync(id)
  await world.daysLater(95, id)
  const decided = await world.db.select().from(paypalPayments).where(eq(paypalPayments.subscriptionId, id))
  expect(decided.map(({ purpose }) => purpose)).toEqual(['trial', 'trial'])
  const { periodEnd } = await transfersIn(world).stored(id)
  expect(Number(periodEnd) - Number(decided[0]?.periodStart)).toBeGreaterThan(175 * 86_400_000)
})

test('what was taken back by a dispute when the operator accepted the rest is not accepted with it', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.planOf(world.productCode, 'monthly')
  const id = await world.buy({ planId, more: { quantity: '50', plan: priceOf('0.10') } })
  await world.sync(id)
  await world.daysLater(32, id)
  await world.revise(id, { plan_id: planId, quantity: '50' })
  await world.sync(id)
  const { readSubscription } = world.deps.paypal
  const dispute = vi.spyOn(world.deps.paypal, 'readSubscription').mockImplementation(async (asked) => {
    const given = await readSubscription(asked)
    const last = given.payments.at(-1)
    return { ...given, payments: given.payments.map((one) => (one === last ? { ...one, state: 'given_back' } : one)) }
  })
  await world.sync(id)
  const [line] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: line?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)
  dispute.mockRestore()
  await world.daysLater(2, id)
  expect((await world.listed())[0]?.stripeSubscriptionStatus ?? 'pending').not.toBe('active')
})
