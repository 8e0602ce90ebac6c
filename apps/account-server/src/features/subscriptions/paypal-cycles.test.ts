import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PaypalPayment } from '../../outside/paypal/subscription-payments.ts'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { generatedCases } from '../../test/generated.ts'
import { nothingKnown, paymentAt, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'

const projected = (...[given, facts]: Parameters<typeof paypalProjectionOf>) =>
  paypalProjectionOf(given, withDecided(given, facts))

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const price = { productCode: 'FPE', term: 'monthly', isConnector: false, isStorage: false } as const

const histories = fc.record({
  firstDay: fc.constantFrom(
    ...['2027-01-31', '2028-02-29', '2027-02-28', '2027-12-31', '2027-08-30', '2028-01-29', '2027-05-15', '2027-03-01'],
  ),
  /** Of its first day, in hours: it is billed at 10:00 later. */
  startHour: fc.constantFrom(0, 2.5, 9.9, 12, 15.4, 22.1, 23.9),
  unit: fc.constantFrom('MONTH', 'MONTH', 'YEAR', 'WEEK'),
  count: fc.constantFrom(1, 1, 2, 3, 6),
  /** Cycles that were paid. */
  paid: fc.integer({ min: 1, max: 15 }),
  hoursLate: fc.array(fc.constantFrom(0, 0, 0.1, 5, 23, 60), { minLength: 15, maxLength: 15 }),
  /** Whether each payment was read when it was made, or the last one alone. */
  isFollowed: fc.boolean(),
  follows: fc.constantFrom('ACTIVE', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED', 'fails', 'is given back'),
})
type History = typeof histories extends fc.Arbitrary<infer Value> ? Value : never

/** The calendar, by its own words: the same day of a later month, or the last one that it has. */
function billedAt({ firstDay, startHour, unit, count }: History, cycle: number): Date {
  const [year = 0, month = 0, day = 0] = firstDay.split('-').map(Number)
  if (cycle === 0) return new Date(Date.UTC(year, month - 1, day) + startHour * hourMs)
  const many = cycle * count
  if (unit === 'WEEK') return new Date(Date.UTC(year, month - 1, day + many * 7, 10))
  const months = month - 1 + (unit === 'YEAR' ? 12 * many : many)
  const lastDay = new Date(Date.UTC(year, months + 1, 0)).getUTCDate()
  return new Date(Date.UTC(year, months, Math.min(day, lastDay), 10))
}

function paymentsOf(history: History): PaypalPayment[] {
  const many = Array.from({ length: history.paid }, (_one, cycle) => cycle)
  return many.map((cycle) => {
    const due = billedAt(history, cycle).getTime()
    return paymentAt(new Date(due + (cycle === 0 ? 5000 : (history.hoursLate[cycle] ?? 0) * hourMs)), 2000)
  })
}

type Projected = ReturnType<typeof paypalProjectionOf>

function read(given: PaypalSubscription, now: Date, last: Projected | undefined): Projected {
  const before = last && { ...last, pendingPlanId: null, pendingQuantity: null }
  return projected(given, { ...nothingKnown, price, now, before })
}

/** What is read at last, an hour after what happened last. */
function lastRead(history: History): Projected {
  const { unit, count, isFollowed, follows, paid } = history
  const base = { startsAt: billedAt(history, 0), createdAt: billedAt(history, 0), interval: { unit, count } }
  const payments = paymentsOf(history)
  let last: Projected | undefined
  for (const [cycle, { at }] of payments.entries()) {
    const some = payments.slice(0, cycle + 1)
    const nextBillingAt = billedAt(history, cycle + 1)
    const given = paypalSubscription({
      ...base,
      nextBillingAt,
      payments: some,
      lastPaidAt: at,
      changedAt: base.startsAt,
    })
    if (isFollowed) last = read(given, at, last)
  }
  const lastAt = payments.at(-1)?.at ?? base.startsAt
  const end = billedAt(history, paid)
  const failedAt = follows === 'fails' ? new Date(end.getTime() + hourMs) : null
  const now = new Date((failedAt ?? lastAt).getTime() + hourMs)
  const isRunning = follows === 'ACTIVE' || follows === 'fails' || follows === 'is given back'
  const given = paypalSubscription({
    ...{
      ...base,
      payments,
      lastPaidAt: lastAt,
      changedAt: isRunning ? base.startsAt : now,
      status: isRunning ? 'ACTIVE' : follows,
    },
    nextBillingAt: isRunning ? billedAt(history, paid + (failedAt ? 1 : 0)) : null,
    failure: failedAt && { amount: 2000, at: failedAt, nextAttemptAt: null },
  })
  if (follows !== 'is given back') return read(given, now, last)
  const withoutLast = payments.map((one, place) =>
    place === paid - 1 ? { ...one, state: 'given_back' as const } : one,
  )
  return read({ ...given, payments: withoutLast }, now, last)
}

interface Expected {
  end: Date
  /** How far the end may be off: without a next billing, PayPal does not say at what time of the day it bills. */
  tolerance: number
  /** Without another payment. */
  paidUntil?: Date | null
  pastDueSince?: Date
}

function expectedOf(history: History): Expected {
  const { follows, paid, isFollowed } = history
  const isBack = follows === 'is given back'
  const end = billedAt(history, isBack ? paid - 1 : paid)
  if (isBack) return { end, tolerance: 0, paidUntil: paid === 1 ? null : end }
  if (follows === 'ACTIVE') return { end, tolerance: 0, paidUntil: new Date(end.getTime() + 3 * dayMs) }
  if (follows === 'fails') return { end, tolerance: 0, pastDueSince: new Date(end.getTime() + hourMs) }
  return { end, tolerance: isFollowed ? 0 : dayMs }
}

const isSame = (one: Date | null | undefined, other: Date | null) => one?.getTime() === other?.getTime()

test('whenever it began, however late it is billed, and whatever follows: what was paid lasts until the next billing', () => {
  const wrong: unknown[] = []
  for (const history of fc.sample(histories, { numRuns: generatedCases(2000), seed: 34 })) {
    const { end, tolerance, paidUntil, pastDueSince } = expectedOf(history)
    const found = lastRead(history)
    const isNothingPaid = paidUntil === null
    const off = Math.abs((found.periodEnd?.getTime() ?? 0) - end.getTime())
    const isRight =
      (isNothingPaid || off <= tolerance) &&
      (paidUntil === undefined || isSame(found.paidUntil, paidUntil)) &&
      (pastDueSince === undefined || isSame(found.pastDueSince, pastDueSince))
    if (!isRight) wrong.push({ history, end, periodEnd: found.periodEnd, paidUntil: found.paidUntil })
  }
  expect(wrong.slice(0, 3)).toEqual([])
})
