import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { generatedCases } from '../../test/generated.ts'
import { nothingKnown, paymentAt, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const startsAt = new Date('2027-01-08T15:00:00Z')
const hoursAfter = (hours: number) => new Date(startsAt.getTime() + hours * hourMs)

const intervals = fc.constantFrom(
  ...([
    { unit: 'MONTH', count: 1 },
    { unit: 'WEEK', count: 1 },
    { unit: 'YEAR', count: 1 },
  ] as const),
)
const prices: fc.Arbitrary<number> = fc.constantFrom(1, 100, 500, 1000, 9600)
const fees = fc.constantFrom(0, 0, 1, 500, 1000)

/** What its buyer can make of it at any time, and what PayPal then counts: of what waits, other terms than those of before. */
const termsAt = (amounts: typeof prices, quantities: readonly number[]) =>
  fc.record({
    planId: fc.constantFrom('P-1', 'P-2'),
    ...{ amount: amounts, quantity: fc.constantFrom(...quantities), interval: intervals, setupFee: fees },
    ...{ isOverridden: fc.boolean(), isPastTrial: fc.boolean() },
    status: fc.constantFrom('ACTIVE', 'ACTIVE', 'SUSPENDED', 'CANCELLED'),
    /** Days from the start; null: PayPal names none. */
    bills: fc.constantFrom(null, 0, 7, 31, 62, 365),
    /** Hours from the start at which it is read. */
    readAt: fc.integer({ min: 1, max: 24 * 400 }),
  })

const histories = fc.record({
  bought: termsAt(prices, [1, 2, 50]),
  trial: fc.constantFrom('none', 'none', 'free', 'paid'),
  /** Hours from the start, and minor units: made of the terms as they were bought, or anything. */
  paid: fc.array(
    fc.record({
      at: fc.constantFrom(-2, 0, 0.01, 5, 24 * 7, 24 * 31, 24 * 62),
      amount: fc.oneof(prices, fc.constantFrom('a cycle', 'the fee', 'the trial')),
      state: fc.constantFrom('paid', 'paid', 'paid', 'unpaid', 'given_back'),
    }),
    { maxLength: 4 },
  ),
  revisions: fc.array(
    termsAt(
      prices.map((price) => price + 7),
      [3, 60],
    ),
    { minLength: 1, maxLength: 4 },
  ),
  listPrice: fc.constantFrom(null, { amount: 1000, currency: 'USD' }),
})
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never
type Terms = History['bought']

const trialPrice = 100

function subscriptionOf({ bought, trial, paid }: History): PaypalSubscription {
  const { quantity, amount, setupFee } = bought
  const sums = { 'a cycle': amount * quantity, 'the fee': setupFee, 'the trial': trialPrice * quantity }
  const payments = paid.map((one, place) => {
    const sum = typeof one.amount === 'number' ? one.amount : sums[one.amount]
    return { ...paymentAt(hoursAfter(one.at), sum), id: `SALE-${place}`, state: one.state }
  })
  const month = { sequence: 1, interval: { unit: 'MONTH', count: 1 } as const, cycles: 1, begun: 1 }
  return {
    ...paypalSubscription({ startsAt, createdAt: hoursAfter(-3) }),
    ...revisedBy(bought),
    payments: payments.toSorted((one, other) => one.at.getTime() - other.at.getTime()),
    trials: trial === 'none' ? [] : [{ ...month, amount: trial === 'free' ? 0 : trialPrice }],
  }
}

function revisedBy({ bills, readAt, ...given }: Terms): Partial<PaypalSubscription> {
  const changedAt = given.status === 'ACTIVE' ? startsAt : hoursAfter(Math.min(readAt, 48))
  return { ...given, changedAt, trials: [], nextBillingAt: bills === null ? null : hoursAfter(24 * bills) }
}

interface Read {
  row: ReturnType<typeof paypalProjectionOf>
  decided: PaidFacts['decided']
}

function read(
  given: PaypalSubscription,
  { listPrice, now }: { listPrice: History['listPrice']; now: Date },
  last?: Read,
) {
  const before = last && { ...last.row, pendingPlanId: null, pendingQuantity: null }
  const facts = withDecided(given, { ...nothingKnown, listPrice, now, before, decided: last?.decided ?? new Map() })
  return { row: paypalProjectionOf(given, facts), decided: facts.decided }
}

/** Until when how many seats of what can be used; undefined: nothing can. */
function granted({ row }: Read, now: Date) {
  const until = row.status === 'active' ? (row.paidUntil ?? row.periodEnd) : row.periodEnd
  const isUsed = (row.status === 'active' || row.status === 'trialing') && Number(until) + dayMs > now.getTime()
  return isUsed ? { seats: row.userCount, plan: row.providerItems[0]?.priceId, until: row.periodEnd } : undefined
}

/** What was paid of a trial lasts until its end, also where PayPal seemed to bill something else for a while. */
function isPaidTrial({ seats, plan, until }: NonNullable<ReturnType<typeof granted>>, { decided }: Read): boolean {
  return [...decided.values()].some(
    (one) =>
      one.purpose === 'trial' &&
      one.plan?.userCount === seats &&
      one.plan.providerItems[0]?.priceId === plan &&
      Number(until) <= Number(one.periodEnd),
  )
}

test('nothing that its buyer or PayPal makes of a subscription changes what its payments were for', () => {
  const wrong: unknown[] = []
  let compared = 0
  for (const history of fc.sample(histories, { numRuns: generatedCases(3000), seed: 34 })) {
    const { bought, revisions, listPrice } = history
    const given = subscriptionOf(history)
    const firstAt = hoursAfter(bought.readAt)
    let last = read(given, { listPrice, now: firstAt })
    const first = granted(last, firstAt)
    let hours = bought.readAt
    // A cancellation is final.
    for (const revision of bought.status === 'CANCELLED' ? [] : revisions) {
      hours += revision.readAt % 240
      const readAt = hoursAfter(hours)
      last = read({ ...given, ...revisedBy(revision) }, { listPrice, now: readAt }, last)
      const now = granted(last, readAt)
      compared += first && now ? 1 : 0
      const isMore =
        now && (!first || now.seats > first.seats || now.plan !== first.plan || Number(now.until) > Number(first.until))
      if (isMore && !isPaidTrial(now, last)) wrong.push({ history, revision, first, now })
    }
  }
  expect(wrong.slice(0, 2)).toEqual([])
  expect(compared).toBeGreaterThan(200)
})
