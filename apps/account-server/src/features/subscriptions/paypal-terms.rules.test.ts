import { expect, test } from 'vitest'
import { nothingKnown, paymentAt, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import { paidTimeOf } from './paypal-paid.rules.ts'
import { acceptedOf } from './paypal-price.rules.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'

const price = { productCode: 'FPE', term: 'monthly', isConnector: false, isStorage: false } as const
const listPrice = { amount: 1000, currency: 'USD' }
const day = (text: string) => new Date(`${text}T15:00:00Z`)
const first = paymentAt(day('2027-01-08'), 2000)
const given = paypalSubscription({ startsAt: first.at, nextBillingAt: day('2027-02-08'), payments: [first] })

type Given = typeof given
type Row = ReturnType<typeof paypalProjectionOf>
const stored = (row: Row | undefined) => row && { ...row, pendingPlanId: null, pendingQuantity: null }
const read = (
  read: Given,
  now: Date,
  {
    before,
    ...more
  }: {
    before?: Row
    listPrice?: typeof listPrice | null
    isAccepted?: boolean
    leastAccepted?: number
    acceptedAt?: Date
  } = {},
) => {
  const facts = withDecided(read, { ...nothingKnown, price, listPrice, ...more, now, before: stored(before) })
  return { row: paypalProjectionOf(read, facts), paid: paidTimeOf(read, facts) }
}

test.each([
  ['a plan of the catalog', listPrice],
  ['a plan that the catalog does not know', null],
])(
  '%s, revised to a price of the buyer’s own: what was paid stays until its end, and the next payment waits',
  (_name, list) => {
    const known = { listPrice: list }
    const { row: before } = read(given, day('2027-01-09'), known)
    const revised = { ...given, isOverridden: true, amount: 1, quantity: 500 }
    const { row: kept, paid } = read(revised, day('2027-01-10'), { ...known, before })
    const same = { status: 'active', userCount: 2, price: 2000, periodEnd: day('2027-02-08') }
    expect(kept).toMatchObject(same)
    expect(paid.unused).toBeUndefined()

    const second = paymentAt(day('2027-02-08'), 500)
    const billed = { ...revised, payments: [first, second], nextBillingAt: day('2027-03-08') }
    const next = read(billed, day('2027-02-12'), { ...known, before: kept })
    expect(next.row).toMatchObject({ ...same, status: 'pending', nextPlan: null })
    expect(next.paid).toMatchObject({ withholding: 'price_overridden', unused: second })
  },
)

test('a plan that was overridden with what the catalog asked then goes on at that price after the catalog’s was raised', () => {
  const overridden = { ...given, isOverridden: true }
  const { row: before } = read(overridden, day('2027-01-09'))
  expect(before).toMatchObject({ status: 'active', price: 2000 })
  const raised = { listPrice: { amount: 1200, currency: 'USD' } }
  const payments = [first, paymentAt(day('2027-02-08'), 2000)]
  const { row, paid } = read({ ...overridden, payments, nextBillingAt: day('2027-03-08') }, day('2027-02-12'), {
    ...raised,
    before,
  })
  const same = { status: 'active', userCount: 2, price: 2000, periodEnd: day('2027-03-08'), nextPlan: null }
  expect(row).toMatchObject(same)
  expect(paid.withholding).toBeUndefined()
})

test('what is collected within a paid cycle, as a setup fee is, waits for nobody', () => {
  const payments = [first, paymentAt(new Date(first.at.getTime() + 60_000), 500)]
  const { row, paid } = read({ ...given, setupFee: 500, payments }, day('2027-01-09'))
  expect([row.status, paid.withholding]).toEqual(['active', undefined])
})

const year = {
  ...given,
  ...{ planId: 'P-YEAR', quantity: 1, amount: 9600, interval: { unit: 'YEAR', count: 1 } as const },
  ...{ nextBillingAt: day('2028-01-08'), payments: [paymentAt(first.at, 9600)] },
}
const aDayLater = day('2027-01-09')

test.each([
  ['a month', { unit: 'MONTH', count: 1 } as const],
  ['a week', { unit: 'WEEK', count: 1 } as const],
  ['no interval that is known here', null],
])('a paid year that is revised to a plan of %s stays, with its seats, until it is billed again', (_name, interval) => {
  const { row: paid } = read(year, aDayLater, { listPrice: null })
  const revised = { ...year, planId: 'P-DEARER', quantity: 8, amount: 1200, interval }
  const states = [{}, { status: 'SUSPENDED', nextBillingAt: null }, { status: 'CANCELLED', nextBillingAt: null }]
  for (const state of states) {
    const { row } = read({ ...revised, ...state }, day('2027-06-01'), { listPrice: null, before: paid })
    const same = { userCount: 1, price: 9600, periodEnd: day('2028-01-08'), status: 'active', paidBy: paid.paidBy }
    expect(row).toMatchObject(same)
  }
})

test('a month that is revised to a year is not a year, and to more seats of its own plan not those seats, whenever it is billed', () => {
  const { row: paid } = read(given, aDayLater)
  const same = { userCount: 2, price: 2000, periodEnd: paid.periodEnd }
  expect(read({ ...year, amount: 1500, payments: [first] }, aDayLater, { before: paid }).row).toMatchObject(same)
  const moved = { ...given, quantity: 1, nextBillingAt: day('2027-02-06') }
  expect(read(moved, aDayLater, { before: paid }).row).toMatchObject({ userCount: 2, price: 2000 })
})

const renewed = paymentAt(day('2027-02-08'), 2000)
const january = { term: 'monthly', periodEnd: day('2027-03-08'), userCount: 2, price: 2000 } as const

test('a month that was paid for more seats than are billed next keeps them, though it is read after the revision', () => {
  const { row: before } = read(given, aDayLater)
  const fewer = { ...given, quantity: 1, payments: [first, renewed], nextBillingAt: day('2027-03-08') }
  const { row, paid } = read(fewer, day('2027-02-12'), { before })
  expect(row).toMatchObject({ ...january, status: 'active', nextPlan: { userCount: 1, price: 1000 } })
  expect(paid.withholding).toBeUndefined()
  const third = { ...fewer, payments: [first, renewed, paymentAt(day('2027-03-08'), 1000)] }
  const next = read({ ...third, nextBillingAt: day('2027-04-08') }, day('2027-03-09'), { before: row }).row
  expect(next).toMatchObject({ userCount: 1, price: 1000, nextPlan: null, periodEnd: day('2027-04-08') })
})

test.each([
  ['while it goes on', { nextBillingAt: day('2029-01-08') }],
  ['once it was suspended', { status: 'SUSPENDED', nextBillingAt: null }],
])('a second year that is read after a revision to a month is a year, %s', (_name, state) => {
  const { row: paid } = read(year, aDayLater, { listPrice: null })
  const before = { ...paid, term: 'yearly' } as const
  const payments = [...year.payments, paymentAt(day('2028-01-08'), 9600)]
  const cheaper = { ...given, planId: 'P-MONTH', quantity: 1, payments, ...state }
  const { row } = read(cheaper, day('2028-03-01'), { listPrice: null, before })
  expect(row).toMatchObject({ status: 'active', userCount: 1, price: 9600, periodEnd: day('2029-01-08') })
})

test.each([
  ['of the vendor', 9600, false],
  ['with a price of the buyer’s own', 1000, true],
])('a month that is read after a revision to a year %s is a month', (_name, amount, isOverridden) => {
  const { row: before } = read(given, aDayLater)
  const yearly = { ...year, amount, isOverridden, quantity: 2, payments: [first, renewed] }
  for (const state of [{ nextBillingAt: day('2028-02-08') }, { status: 'SUSPENDED', nextBillingAt: null }]) {
    const { row } = read({ ...yearly, ...state }, day('2027-02-12'), {
      before,
      listPrice: { ...listPrice, amount: 9600 },
    })
    expect(row).toMatchObject(january)
  }
})

test('of two plans that cost the same the paid one stays, until the other was seen ahead of its payment', () => {
  const { row: before } = read(given, aDayLater)
  const other = { ...given, planId: 'P-2', payments: [first, renewed], nextBillingAt: day('2027-03-08') }
  const { row: kept } = read(other, day('2027-02-12'), { before })
  expect(kept.providerItems).toMatchObject([{ priceId: 'P-1' }])
  const third = { ...other, payments: [...other.payments, paymentAt(day('2027-03-08'), 2000)] }
  const { row } = read({ ...third, nextBillingAt: day('2027-04-08') }, day('2027-03-09'), { before: kept })
  expect(row.providerItems).toMatchObject([{ priceId: 'P-2' }])
})

test('a price of the buyer’s own that is stored from before is no measure: it pays for no further month', () => {
  const { row } = read(given, aDayLater)
  const [item] = row.providerItems
  const before = { ...row, price: 2, ...(item && { providerItems: [{ ...item, amount: 1 }] }) }
  const cheap = { ...given, isOverridden: true, amount: 1, payments: [first, paymentAt(day('2027-02-08'), 2)] }
  const known = read({ ...cheap, payments: [first] }, aDayLater, { before })
  expect(known.row).toMatchObject({ status: 'active', userCount: 2, price: null, periodEnd: day('2027-02-08') })
  for (const stored of [before, known.row]) {
    const { row: next, paid } = read({ ...cheap, nextBillingAt: day('2027-03-08') }, day('2027-02-12'), {
      before: stored,
    })
    expect(next).toMatchObject({ status: 'pending', price: null, periodEnd: day('2027-02-08') })
    expect(paid.withholding).toBe('price_overridden')
  }
})

test('what was accepted grants for no less than had been paid then, and for no less than its price', () => {
  const paidFor = (cents: number, leastAccepted?: number, acceptedAt = first.at) => {
    const payments = [paymentAt(first.at, cents)]
    const accepted = { isAccepted: true, acceptedAt, ...(leastAccepted !== undefined && { leastAccepted }) }
    return read({ ...given, payments }, day('2027-01-09'), accepted).row.status
  }
  expect([paidFor(1, 800), paidFor(800, 800), paidFor(2000, 3000)]).toEqual(['pending', 'active', 'active'])
  expect([paidFor(1999), paidFor(2000)]).toEqual(['pending', 'active'])
  const before = new Date(first.at.getTime() - 1)
  expect([paidFor(1999, 800, before), paidFor(2000, 800, before)]).toEqual(['pending', 'active'])
})

test('what had been paid for a trial buys no cycle after it, and a tax on top is no part of it', () => {
  const taxed = { ...given, taxOnTop: 19 }
  expect([
    acceptedOf(taxed, { amount: 1190 }),
    acceptedOf(taxed, { amount: null }),
    acceptedOf(given, undefined),
  ]).toEqual([1000, null, null])
  const trial = { sequence: 1, interval: { unit: 'WEEK', count: 1 }, cycles: 1, amount: 1, begun: 1 } as const
  const tried = { ...given, trials: [trial], isPastTrial: false }
  expect([acceptedOf(tried, { amount: 2 }), acceptedOf({ ...tried, isPastTrial: true }, { amount: 2 })]).toEqual([
    null,
    2,
  ])
})

test.each([
  ['another plan', { planId: 'P-2' }],
  ['more seats of its plan', { quantity: 500 }],
])(
  'what was accepted says nothing of other terms: revised to a price of the buyer’s own for %s, the payment waits',
  (_name, revision) => {
    const cheap = { ...given, isOverridden: true, amount: 1, payments: [paymentAt(first.at, 2)] }
    for (const list of [listPrice, null]) {
      const { row: before } = read(cheap, aDayLater, { isAccepted: true, listPrice: list })
      expect(before).toMatchObject({ status: 'active', price: 2 })
      const second = paymentAt(day('2027-02-08'), 2)
      const billed = { ...cheap, ...revision, payments: [...cheap.payments, second], nextBillingAt: day('2027-03-08') }
      const { row, paid } = read(billed, day('2027-02-12'), { before, listPrice: list })
      expect(row).toMatchObject({ status: 'pending', periodEnd: before.periodEnd, userCount: 2 })
      expect(paid).toMatchObject({ withholding: 'price_overridden', unused: second })
    }
  },
)

test('a week that is revised after a free month is a week, and not as long as what was free', () => {
  const month = { sequence: 1, interval: { unit: 'MONTH', count: 1 }, cycles: 1, amount: 0, begun: 1 } as const
  const ended = day('2027-02-08')
  const weekly = {
    ...{ ...given, quantity: 1, interval: { unit: 'WEEK', count: 1 } as const },
    ...{ trials: [month], isPastTrial: false, payments: [], nextBillingAt: ended },
  }
  const { row: before } = read(weekly, aDayLater, { listPrice: null })
  const unnamed = { ...before, term: null }
  expect(before).toMatchObject({ status: 'trialing', periodEnd: ended })
  const revised = {
    ...{ ...weekly, planId: 'P-2', amount: 1200, trials: [], isPastTrial: true },
    ...{ payments: [paymentAt(ended, 1000)], nextBillingAt: day('2027-02-15') },
  }
  for (const state of [{}, { status: 'SUSPENDED', nextBillingAt: null }]) {
    const { row } = read({ ...revised, ...state }, day('2027-02-09'), { listPrice: null, before: unnamed })
    expect(row).toMatchObject({ status: 'active', periodStart: ended, periodEnd: day('2027-02-15') })
  }
  // An earlier version of this program has not stored how often it is billed.
  const items = before.providerItems.map(({ interval: _, ...item }) => item)
  const earlier = { ...unnamed, providerItems: items }
  const { paid } = read(revised, day('2027-02-09'), { listPrice: null, before: earlier })
  expect([paid.cycle, paid.withholding]).toEqual([undefined, 'paid_too_little'])
})

test('what is bought and canceled at once is paid, though PayPal has counted no cycle yet', () => {
  const canceled = { ...given, status: 'CANCELLED', isPastTrial: false, nextBillingAt: null, changedAt: first.at }
  const { row } = read(canceled, day('2027-01-09'))
  expect(row).toMatchObject({ status: 'active', cancelAt: day('2027-02-08'), price: 2000 })
})

const oneMonth = { sequence: 1, interval: { unit: 'MONTH', count: 1 }, cycles: 1, amount: 0, begun: 1 } as const
const fee = paymentAt(first.at, 50_000)
const inTrial = { ...given, trials: [oneMonth], isPastTrial: false, payments: [fee], setupFee: 50_000 }
/** PayPal does not say what it counts after a revision. */
const toYear = { trials: [], setupFee: 0, planId: 'P-2', amount: 15_900, interval: { unit: 'YEAR', count: 1 } } as const

test.each([false, true])(
  'a trial that is revised to a year and canceled is a trial until its end, a cycle after it counted: %s',
  (isPastTrial) => {
    const { row: before } = read(inTrial, day('2027-01-09'))
    expect(before).toMatchObject({ status: 'trialing', trialEnd: day('2027-02-08') })
    const revised = { ...inTrial, ...toYear, isPastTrial }
    const { row: kept } = read(revised, day('2027-01-10'), { before })
    expect(kept).toMatchObject({ status: 'trialing', trialEnd: day('2027-02-08') })
    const canceled = { ...revised, status: 'CANCELLED', nextBillingAt: null, changedAt: day('2027-01-11') }
    for (const known of [before, kept]) {
      const { row, paid } = read(canceled, day('2027-01-12'), known && { before: known })
      expect(row).toMatchObject({ status: 'active', cancelAt: day('2027-02-08'), endedAt: day('2027-02-08') })
      expect([paid.cycle, paid.unused]).toEqual([undefined, undefined])
    }
  },
)

test('a revised trial is over once it was given back, or PayPal has not collected what follows it', () => {
  const { row: before } = read(inTrial, day('2027-01-09'))
  const revised = { ...inTrial, ...toYear }
  const givenBack = { ...revised, payments: [{ ...fee, state: 'given_back' as const }] }
  const uncollected = { ...revised, isPastTrial: true, nextBillingAt: day('2028-02-08') }
  expect(read(givenBack, day('2027-01-10'), before && { before }).paid.trial).toBeUndefined()
  expect(read(uncollected, day('2027-02-12'), before && { before }).paid.trial).toBeUndefined()
})
