import { expect, test } from 'vitest'
import { nothingKnown, paymentAt, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import type { PaidFacts } from './paypal-facts.rules.ts'
import { paidTimeOf } from './paypal-paid.rules.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'
import { paidTrialCycle } from './paypal-trials.rules.ts'

const price = { productCode: 'FPE', term: null, isConnector: false, isStorage: false } as const
const day = (text: string) => new Date(`${text}T15:00:00Z`)
const month = { unit: 'MONTH', count: 1 } as const
const startsAt = day('2027-01-08')
const first = paymentAt(startsAt, 500)
const firstMonth = { sequence: 1, interval: month, cycles: 1, amount: 500, begun: 1 }

/** A month for $5, then others, then $10 a month. */
const priced = paypalSubscription({
  ...{ quantity: 1, startsAt, trials: [firstMonth], isPastTrial: false, payments: [first] },
  nextBillingAt: day('2027-02-08'),
})

interface Earlier {
  row: ReturnType<typeof paypalProjectionOf>
  paid: ReturnType<typeof paidTimeOf>
  decided: PaidFacts['decided']
}

const read = (given: typeof priced, now: Date, earlier?: Earlier): Earlier => {
  const before = earlier && { ...earlier.row, pendingPlanId: null, pendingQuantity: null }
  const known = { ...nothingKnown, price, now, before, decided: earlier?.decided ?? new Map() }
  const facts = withDecided(given, known)
  return { row: paypalProjectionOf(given, facts), paid: paidTimeOf(given, facts), decided: facts.decided }
}

test('of two trials that cost something each payment pays for one month', () => {
  const nextMonths = { ...firstMonth, sequence: 2, cycles: 2, amount: 300 }
  const given = { ...priced, status: 'CANCELLED', nextBillingAt: null, trials: [firstMonth, nextMonths] }
  expect(read(given, day('2027-02-10')).paid.trial?.periodEnd).toEqual(day('2027-02-08'))

  const second = paymentAt(day('2027-02-08'), 300)
  const paid = read({ ...given, payments: [first, second] }, day('2027-02-10'))
  expect(paid.paid.trial?.periodEnd).toEqual(day('2027-03-08'))
})

test('a month of a trial that was paid for more seats follows the one that was paid for fewer', () => {
  const months = { ...firstMonth, amount: 100, cycles: 2, begun: 2 }
  const payments = [paymentAt(startsAt, 100), paymentAt(day('2027-02-08'), 500)]
  const given = { ...priced, quantity: 5, trials: [months], payments, nextBillingAt: day('2027-03-08') }
  const [paidFirst] = payments
  const started = { ...priced, trials: [{ ...months, begun: 1 }], payments: paidFirst ? [paidFirst] : [] }
  const before = read(started, day('2027-01-09'))
  expect(before.row).toMatchObject({ status: 'trialing', userCount: 1, periodEnd: day('2027-02-08') })
  const first = read(given, day('2027-02-10'))
  for (const { row, paid } of [read(given, day('2027-02-10'), before), first, read(given, day('2027-02-11'), first)]) {
    expect(row).toMatchObject({ status: 'trialing', userCount: 5, periodEnd: day('2027-03-08') })
    expect(paid).toMatchObject({ withholding: undefined, unused: undefined })
  }
  const unpaid = read({ ...started, quantity: 5 }, day('2027-01-20'), before)
  expect(unpaid.row).toMatchObject({ status: 'trialing', userCount: 1, periodEnd: day('2027-02-08') })
})

test('a trial that was paid is an order, and waits for nobody, when the first month after it cannot be collected', () => {
  const before = read(priced, day('2027-01-09'))
  expect(before.row).toMatchObject({ status: 'trialing', periodEnd: day('2027-02-08') })
  const failure = { amount: 1000, at: day('2027-02-08'), nextAttemptAt: day('2027-02-13') }
  const failed = { ...priced, isPastTrial: true, failure, nextBillingAt: day('2027-03-08') }
  const states = [{}, { status: 'SUSPENDED', nextBillingAt: null, failure: { ...failure, nextAttemptAt: null } }]
  for (const state of states) {
    for (const isPastTrial of [true, false]) {
      const { row, paid } = read({ ...failed, ...state, isPastTrial }, day('2027-02-20'), before)
      expect(row).toMatchObject({ status: 'past_due', periodEnd: day('2027-02-08') })
      expect(paid).toMatchObject({ withholding: undefined, unused: undefined })
    }
  }
})

test.each(['00:10', '09:50', '15:00', '22:30', '23:59'])(
  'a trial that begins at %s is billed at 10:00 for its second month',
  (time) => {
    const [begin, second, third] = ['2027-01-08', '2027-02-08', '2027-03-08'].map(
      (date) => new Date(`${date}T${time}:00Z`),
    )
    const trial = {
      trials: [{ ...firstMonth, cycles: 3 }],
      startsAt: begin ?? startsAt,
      quantity: 1,
      costs: () => true,
    }
    const paidFor = (paidAt: string) => paidTrialCycle({ ...trial, paidAt: new Date(paidAt) })
    expect(paidFor('2027-02-08T10:00:05Z')).toEqual({ periodStart: second, periodEnd: third })
    expect(paidFor('2027-02-06T10:00:00Z')).toEqual({ periodStart: begin, periodEnd: second })
  },
)
