import { expect, test } from 'vitest'
import { nothingKnown, paymentAt, paypalSubscription, withDecided } from '../../test/paypal-subscriptions.ts'
import { paypalProjectionOf } from './paypal-projection.rules.ts'
import { emailOfChange } from './subscription-emails.rules.ts'

const projected = (...[given, facts]: Parameters<typeof paypalProjectionOf>) =>
  paypalProjectionOf(given, withDecided(given, facts))

const given = paypalSubscription({
  startsAt: new Date('2027-01-31T15:00:00Z'),
  nextBillingAt: new Date('2027-02-28T10:00:00Z'),
})

const price = { productCode: 'FPE', term: 'monthly', isConnector: false, isStorage: false } as const

test('each period of a subscription that began on the 31st begins where the one before ended, and is told as renewed', () => {
  const read = (paid: string, nextBilling: string, last?: ReturnType<typeof paypalProjectionOf>) =>
    projected(
      { ...given, nextBillingAt: new Date(nextBilling), payments: [paymentAt(new Date(paid), 2000)] },
      {
        ...nothingKnown,
        price,
        now: new Date(paid),
        before: last && { ...last, pendingPlanId: null, pendingQuantity: null },
      },
    )
  let last = read('2027-01-31T15:00:05Z', '2027-02-28T10:00:00Z')
  expect(last.periodStart).toEqual(given.startsAt)
  const days = ['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31', '2027-06-30']
  for (const [place, day] of days.slice(1).entries()) {
    const paid = `${days[place]}T10:00:09Z`
    const next = read(paid, `${day}T10:00:00Z`, last)
    expect(next.periodStart).toEqual(last.periodEnd)
    expect(emailOfChange(last, next, next.periodStart)).toBe('renewed')
    expect(read(paid, `${day}T10:00:00Z`, next)).toEqual(next)
    last = next
  }
})

test('what is read first, or after months without a word, begins one interval before its end', () => {
  const before = { status: 'active', cancelAt: null, pastDueSince: null, endedAt: null } as const
  const stored = { periodStart: new Date('2027-02-01T10:00:00Z'), periodEnd: new Date('2027-03-01T10:00:00Z') }
  const [now, nextBillingAt] = [new Date('2027-08-20T00:00:00Z'), new Date('2027-09-01T10:00:00Z')]
  const paid = { ...given, nextBillingAt, payments: [paymentAt(new Date('2027-08-01T10:00:00Z'), 2000)] }
  const first = projected(paid, { ...nothingKnown, price, now, before: undefined })
  const read = (row: typeof stored | undefined) =>
    projected(paid, {
      ...nothingKnown,
      price,
      now,
      before: row && { ...first, ...before, ...row, paidBy: null, pendingPlanId: null, pendingQuantity: null },
    })
  expect(read(undefined).periodStart).toEqual(new Date('2027-08-01T10:00:00Z'))
  expect(read(stored).periodStart).toEqual(new Date('2027-08-01T10:00:00Z'))
})

test('what was to begin at the end of the month that is paid begins with that', () => {
  const [startsAt, nextBillingAt] = [new Date('2027-01-08T10:00:00Z'), new Date('2027-02-08T10:00:00Z')]
  const paid = paypalSubscription({ startsAt, nextBillingAt })
  const facts = { ...nothingKnown, price, now: startsAt }
  const row = projected(paid, { ...facts, before: undefined })
  const ahead = { ...row, status: 'pending', periodStart: nextBillingAt, paidBy: null } as const
  const before = { ...ahead, pendingPlanId: null, pendingQuantity: null }
  expect(projected(paid, { ...facts, before })).toMatchObject({ periodStart: startsAt, status: 'active' })
})
