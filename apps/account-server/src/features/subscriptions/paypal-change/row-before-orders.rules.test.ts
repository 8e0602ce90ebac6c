import { expect, test } from 'vitest'
import { paymentAt, paypalSubscription } from '../../../test/paypal-subscriptions.ts'
import { rowBeforeOrders } from './row-before-orders.rules.ts'

const end = new Date('2027-02-08T15:00:00Z')
const hours = (many: number) => new Date(end.getTime() + many * 3_600_000)
const plan = { productCode: 'F', planId: 'P-1', quantity: 3, amount: 1000 }
const beforeOrders = { periodEnd: end, plan }
const first = paymentAt(new Date('2027-01-08T15:00:00Z'), 3000)

/** The row of thirty seats, of which 27 were bought by order. */
const row = {
  ...{ userCount: 30, storageCapacity: 0, price: 30_000, paidBy: first.id, periodEnd: end, pendingPlanId: 'P-1' },
  providerItems: [{ id: 'I-1', priceId: 'P-1', productCode: 'F', isConnector: false, quantity: 30, amount: 1000 }],
}

interface Read {
  paid?: ReturnType<typeof paymentAt>
  quantity?: number
  now?: Date
  before?: { periodEnd?: Date; paidBy?: string; pendingPlanId?: null }
}

function seatsOf({ paid = paymentAt(hours(0), 3000), quantity = 30, now = hours(1), before = {} }: Read) {
  const given = paypalSubscription({ quantity, payments: [first, paid] })
  const read = rowBeforeOrders({ ...row, ...before }, given, { beforeOrders, now })
  return [read?.userCount, read?.price]
}

const unordered = [3, 3000]
const ordered = [30, 30_000]

test('a payment of the next period is measured by what PayPal billed before the orders', () => {
  expect(seatsOf({})).toEqual(unordered)
  expect(seatsOf({ quantity: 2 })).toEqual(unordered)
  expect(seatsOf({ paid: paymentAt(hours(-6), 3000), now: hours(-5) })).toEqual(unordered)
  expect(seatsOf({ paid: { ...paymentAt(hours(0), 3000), state: 'unpaid' } })).toEqual(unordered)
})

test('not if it is too little for that, or enough for what PayPal has by now', () => {
  expect(seatsOf({ paid: paymentAt(hours(0), 2999) })).toEqual(ordered)
  expect(seatsOf({ paid: paymentAt(hours(0), 3000, 'EUR') })).toEqual(ordered)
  expect(seatsOf({ paid: paymentAt(hours(0), 30_000) })).toEqual(ordered)
})

test('not if it is of the period of the orders, or that goes on while it is held back', () => {
  expect(seatsOf({ paid: paymentAt(hours(-24), 3000) })).toEqual(ordered)
  const heldBack = { ...paymentAt(hours(-6), 3000), state: 'unpaid' } as const
  expect(seatsOf({ paid: heldBack, now: hours(-5) })).toEqual(ordered)
  expect(seatsOf({ before: { periodEnd: hours(24 * 28) } })).toEqual(ordered)
  expect(seatsOf({ before: { paidBy: paymentAt(hours(0), 3000).id } })).toEqual(ordered)
})

test('not if a reading has shown the confirmation ahead of it', () => {
  expect(seatsOf({ before: { pendingPlanId: null } })).toEqual(ordered)
})
