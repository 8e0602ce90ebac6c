import { declineSubscription } from '@atrium/contract/offered-subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomer } from '../../test/claimed-owners.ts'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { acceptanceOf } from '../payments/unmatched/unmatched.queries.ts'
import { acceptedTerms, unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const vendor = () => termsVendor(sandbox)

const feeOf = (value: string) => ({ payment_preferences: { setup_fee: usd(value) } })

test('a price of the buyer’s own never becomes the measure, and no setup fee pays for a month of the catalog’s price', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: { ...priceOf('0.01'), ...feeOf('30') } } })
  await world.sync(id)
  expect(await world.sales(id)).toHaveLength(2)
  expect(await world.listed()).toEqual([])

  await world.daysLater(36, id)
  expect(await world.listed()).toEqual([])
  const [waits] = await world.waiting(id)
  expect(waits).toMatchObject({ reason: 'price_overridden', amount: 3, memberId: world.buyer.id, acceptedAt: null })

  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 3, price: 3 }])
})

test('a year that is revised to more seats of a dearer product by the month stays the year that was paid', async () => {
  await using world = await vendor()
  const yearly = await world.planOf(world.productCode, 'yearly')
  const dearer = await world.planOf(world.suiteCode, 'monthly')
  const id = await world.buy({ planId: yearly, more: { quantity: '1' } })
  await world.sync(id)
  const [{ stripeCurrentPeriodEnd = '' } = {}] = await world.listed()
  const paid = { appCode: world.productCode, userCount: 1, stripeCurrentPeriodEnd, stripeSubscriptionStatus: 'active' }
  expect(await world.listed()).toMatchObject([paid])
  for (const body of [
    { plan_id: dearer, quantity: '3' },
    { plan_id: yearly, quantity: '1' },
    { plan_id: dearer, quantity: '3' },
  ]) {
    await world.revise(id, body)
    await world.sync(id)
    expect(await world.listed()).toMatchObject([paid])
  }
  await world.daysLater(40, id)
  expect(await world.listed()).toMatchObject([paid])

  await world.daysLater(330, id)
  expect(await world.listed()).toMatchObject([
    { appCode: world.suiteCode, userCount: 3, paidType: 'monthly', stripeSubscriptionStatus: 'active' },
  ])
})

test('an accepted price is accepted for its quantity: revised to more seats at that price, the next payment waits', async () => {
  await using world = await vendor()
  const cheap = { plan: priceOf('0.02') }
  const id = await world.buy({ more: cheap })
  await world.sync(id)
  const accept = async () => {
    const [waits] = await world.waiting(id)
    await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
    await world.sync(id)
  }
  await accept()
  const accepted = { stripeSubscriptionStatus: 'active', userCount: 3, price: 6 }
  expect(await world.listed()).toMatchObject([accepted])

  await world.revise(id, { quantity: '500', ...cheap })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([accepted])
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ ...accepted, stripeSubscriptionStatus: 'pending' }])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 1000, acceptedAt: null }])
  expect((await unmatchedLines(world.db, 'paypal')).join('\n')).toContain('500 × 2 USD every 1 MONTH')
  await accept()
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 500, price: 1000 }])
})

test.each([
  ['stay accepted when others wait in between', false],
  ['are not accepted any more once others are', true],
])('terms that were accepted %s, and the buyer goes back to them', async (_name, isOtherAccepted) => {
  await using world = await vendor()
  const cheap = { quantity: '3', plan: priceOf('0.02') }
  const cheaper = { quantity: '3', plan: priceOf('0.01') }
  const id = await world.buy({ more: cheap })
  await world.sync(id)
  const accept = async () => {
    const [waits] = await world.waiting(id)
    await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
    await world.sync(id)
  }
  await accept()
  await world.revise(id, cheaper)
  await world.daysLater(36, id)
  expect(await world.waiting(id)).toMatchObject([{ amount: 3, acceptedAt: null }])
  if (isOtherAccepted) await accept()

  await world.revise(id, cheap)
  await world.daysLater(32, id)
  const open = (await world.waiting(id)).filter(({ acceptedAt }) => acceptedAt === null)
  // What was paid in between on terms that were not accepted goes on waiting, without them.
  expect(open).toMatchObject([isOtherAccepted ? { amount: 6 } : { amount: 3, terms: '' }])
  const stripeSubscriptionStatus = isOtherAccepted ? 'pending' : 'active'
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus, userCount: 3 }])
})

test('an accepted price is accepted for its plan: revised to another with a price of the buyer’s own, the next payment waits', async () => {
  await using world = await vendor()
  const cheap = { plan: priceOf('0.01') }
  const id = await world.buy({ more: cheap })
  await world.sync(id)
  const [first] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: first?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  const [accepted] = await world.listed()
  expect(accepted).toMatchObject({ stripeSubscriptionStatus: 'active', userCount: 3, price: 3 })

  await world.revise(id, { plan_id: await world.planOf(world.suiteCode, 'monthly'), ...cheap })
  await world.daysLater(36, id)
  const { appCode, stripeCurrentPeriodEnd } = accepted ?? {}
  expect(await world.listed()).toMatchObject([
    { appCode, stripeCurrentPeriodEnd, stripeSubscriptionStatus: 'pending', userCount: 3 },
  ])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', amount: 3, acceptedAt: null }])
})

test('an accepted price stays accepted when a member says that it is not theirs, and whoever it is given to', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: world.buyer.email, more: { plan: priceOf('0.01') } })
  await world.sync(id)
  const [waits] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: waits?.id ?? '', provider: 'paypal', now: world.deps.clock() })
  await world.sync(id)
  const client = world.as({ cookie: await world.session(world.buyer.id) })
  expect((await client.send(declineSubscription, { params: { sid: id } })).status).toBe(200)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'not_mine' }])

  const other = await world.member()
  const { id: memberId } = other
  await linkCustomer(world, other, id)
  await world.daysLater(36, id)
  const { memberId: owner, status, userCount, price: cents } = subscriptions
  const rows = await world.db
    .select({ owner, status, userCount, cents })
    .from(subscriptions)
    .where(eq(subscriptions.id, id))
  expect(rows).toEqual([{ owner: memberId, status: 'active', userCount: 3, cents: 3 }])
})

test('what an earlier version has accepted stays so at the price that was paid, and at no other', async () => {
  await using world = await vendor()
  const object = { provider: 'paypal', objectId: `I-${world.buyer.id}` } as const
  const at = world.deps.clock()
  const stored = { kind: 'subscription', reason: 'price_overridden', amount: 3, currency: 'USD', boughtAt: at } as const
  await world.db.insert(unmatchedPurchases).values({ ...object, ...stored, createdAt: at, acceptedAt: at })
  const accepted = (cents: number) => acceptanceOf(world.db, { ...object, terms: 'P', price: cents, currency: 'USD' })
  expect([await accepted(3), await accepted(2)]).toEqual([{ amount: 3, acceptedAt: at }, undefined])
})

test('what is accepted is what the line showed: once its terms have changed, its id is not one any more', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: priceOf('1') } })
  await world.sync(id)
  const [shown] = await world.waiting(id)
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ id: shown?.id }])

  await world.revise(id, { quantity: '5000', plan: priceOf('0.01') })
  await world.sync(id)
  const accepting = { id: shown?.id ?? '', provider: 'paypal', now: world.deps.clock() } as const
  expect(await acceptUnmatched(world.db, accepting)).toEqual({ kind: 'unknown' })
  const [now] = await world.waiting(id)
  expect(now).toMatchObject({ acceptedAt: null, amount: 300 })
  await acceptUnmatched(world.db, { ...accepting, id: now?.id ?? '' })
  const { objectId, amount } = acceptedTerms
  expect(await world.db.select({ amount }).from(acceptedTerms).where(eq(objectId, id))).toEqual([{ amount: 300 }])
})

test('the line of an overridden plan shows its trial, which is accepted with its price', async () => {
  await using world = await vendor()
  const trial = { sequence: 1, tenure_type: 'TRIAL', total_cycles: 1, frequency: { interval_unit: 'MONTH' } }
  const planId = await world.ownPlan({ trial: { ...trial, pricing_scheme: { fixed_price: usd('1') } } })
  const cycle = { sequence: 1, total_cycles: 999, pricing_scheme: { fixed_price: usd('0.01') } }
  const id = await world.buy({ planId, more: { quantity: '1', plan: { billing_cycles: [cycle] } } })
  await world.sync(id)
  const lines = (await unmatchedLines(world.db, 'paypal')).filter((line) => line.includes(id))
  expect(lines.join('\n')).toContain('999 times 1 × 1 USD every 1 MONTH, then 1 × 1000 USD every 1 MONTH')
})
