import { expect, test } from 'vitest'
import { nothingKnown, paymentAt, paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { paidTimeOf } from './paypal-paid.rules.ts'
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
  { before, ...more }: { before?: Row; listPrice?: typeof listPrice | null } = {},
) => {
  const facts = { ...nothingKnown, listPrice, ...more, now, before: stored(before) }
  return { row: paypalProjectionOf(read, { ...facts, price }), paid: paidTimeOf(read, facts) }
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
  const payments = [first, paymentAt(day('2027-01-08'), 500)]
  const { row, paid } = read({ ...given, setupFee: 500, payments }, day('2027-01-09'))
  expect([row.status, paid.withholding]).toEqual(['active', undefined])
})
