import { expect, test } from 'vitest'
import type { PaypalSubscription } from '../../outside/paypal/subscriptions.ts'
import { paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { saleAsInvoice } from './paypal-sales.rules.ts'

const day = (text: string) => new Date(`${text}T10:00:00Z`)

/** A monthly subscription from January 8. */
const monthly = paypalSubscription({ lastPaidAt: null, nextBillingAt: day('2027-02-08') })
const from = (startsAt: Date, nextBillingAt: Date | null, more: Partial<PaypalSubscription> = {}) => ({
  ...monthly,
  ...{ createdAt: startsAt, startsAt, nextBillingAt, ...more },
})

function periodOf(given: PaypalSubscription, paidAt: Date, storedEnd: Date | null = null) {
  const sale = { id: 'S-1', subscriptionId: 'I-1', isPending: false, isFailed: false, refundedAt: null, paidAt }
  const invoice = saleAsInvoice({ ...sale, total: 2000, tax: 0, currency: 'USD' }, given, {
    ...{ purposes: new Map(), storedEnd, hasPaid: false },
  })
  return invoice.lines.map(({ periodStart, periodEnd }) => [periodStart.toISOString(), periodEnd.toISOString()])[0]
}
const between = (start: string, end: string) => [day(start).toISOString(), day(end).toISOString()]

test('the first payment is for the time from the start to the next billing', () => {
  expect(periodOf(monthly, new Date('2027-01-08T15:00:03Z'))).toEqual([
    monthly.startsAt.toISOString(),
    day('2027-02-08').toISOString(),
  ])
})

test('a first payment that was collected late is for the time from the start, whatever the time of day', () => {
  const early = new Date('2027-01-08T04:41:10Z')
  expect(periodOf(from(early, day('2027-02-08')), day('2027-01-13'))).toEqual([
    early.toISOString(),
    day('2027-02-08').toISOString(),
  ])
})

test('a payment that was collected five or ten days late is for the cycle that it was due for', () => {
  const renewed = from(new Date('2026-11-08T15:00:00Z'), day('2027-02-08'))
  for (const paid of ['2027-01-08', '2027-01-13', '2027-01-18']) {
    expect(periodOf(renewed, day(paid))).toEqual(between('2027-01-08', '2027-02-08'))
  }
})

test('a payment some hours before the moment that PayPal named is for the cycle that begins then', () => {
  const paidAt = new Date('2027-02-08T04:00:00Z')
  expect(periodOf(from(monthly.startsAt, day('2027-03-08')), paidAt)).toEqual(between('2027-02-08', '2027-03-08'))
})

test.each([
  ['2027-02-28', '2027-01-31', '2027-02-28', '2027-02-05'],
  ['2027-02-28', '2027-02-28', '2027-03-31', '2027-03-05'],
  ['2027-03-31', '2027-03-31', '2027-04-30', '2027-04-09'],
  ['2027-06-30', '2027-02-28', '2027-03-31', '2027-03-10'],
  ['2028-02-29', '2027-02-28', '2027-03-31', '2027-03-01'],
])('from the 31st, billed next on %s: from %s to %s, paid on %s', (next, start, end, paid) => {
  const given = from(day('2026-12-31'), day(next))
  expect(periodOf(given, day(paid))).toEqual(between(start, end))
})

test('a yearly subscription from February 29, and one of every two weeks', () => {
  const yearly = from(day('2024-02-29'), day('2028-02-29'), { interval: { unit: 'YEAR', count: 1 } })
  expect(periodOf(yearly, day('2026-03-05'))).toEqual(between('2026-02-28', '2027-02-28'))
  expect(periodOf(yearly, day('2027-03-05'))).toEqual(between('2027-02-28', '2028-02-29'))
  const fortnightly = from(day('2027-01-01'), day('2027-02-12'), { interval: { unit: 'WEEK', count: 2 } })
  expect(periodOf(fortnightly, day('2027-01-20'))).toEqual(between('2027-01-15', '2027-01-29'))
})

test('a late payment of years ago is for its own cycle, whether the subscription still runs or not', () => {
  const start = new Date('2023-05-08T15:00:00Z')
  for (const next of [day('2027-02-08'), null]) {
    const [begin = '', end = ''] = periodOf(from(start, next), new Date('2024-09-13T12:00:00Z')) ?? []
    expect([begin.slice(0, 10), end.slice(0, 10)]).toEqual(['2024-09-08', '2024-10-08'])
  }
})

test('once PayPal does not say when it bills next, the end that is stored here is where a cycle ends', () => {
  const fortnight = { sequence: 1, interval: { unit: 'WEEK', count: 2 }, cycles: 1, amount: 0, begun: 1 } as const
  const trialed = from(day('2027-02-01'), null, { status: 'CANCELLED', trials: [fortnight] })
  expect(periodOf(trialed, day('2027-02-20'), day('2027-03-15'))).toEqual(between('2027-02-15', '2027-03-15'))
  // Without one, the end of the trial is where the first begins, however late it was paid.
  for (const paid of ['2027-02-15', '2027-02-20']) {
    expect(periodOf(trialed, day(paid))).toEqual(between('2027-02-15', '2027-03-15'))
  }
})

test('after a revision of the plan, what is collected late is still for the cycle that began before it', () => {
  const revised = from(monthly.startsAt, day('2027-03-08'), { planId: 'P-2', quantity: 4, amount: 500 })
  expect(periodOf(revised, day('2027-02-13'))).toEqual(between('2027-02-08', '2027-03-08'))
})

test.each([
  [0, [1200, 1800]],
  [500, [1000, 1500]],
])(
  'a setup fee that is collected with a month of a paid trial has its share, also of a tax on top (%i is named)',
  (tax, amounts) => {
    const month = { unit: 'MONTH', count: 1 } as const
    const trials = [{ sequence: 1, interval: month, cycles: 1, amount: 500, begun: 1 }]
    const more = { trials, isPastTrial: false, setupFee: 1500, taxOnTop: 20, amount: 4000 }
    const given = from(monthly.startsAt, day('2027-02-08'), more)
    const paidAt = new Date(monthly.startsAt.getTime() + 60_000)
    const sale = { id: 'S-1', subscriptionId: 'I-1', isPending: false, isFailed: false, refundedAt: null, paidAt }
    const known = { purposes: new Map(), storedEnd: null, hasPaid: false }
    const { lines } = saleAsInvoice({ ...sale, total: 3000, tax, currency: 'USD' }, given, known)
    expect(lines.map(({ amount }) => amount)).toEqual(amounts)
  },
)
