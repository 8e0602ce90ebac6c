import { expect, test } from 'vitest'
import { paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { asMeasured, lessWords } from './paypal-measured.rules.ts'

const item = { id: 'I-1', priceId: 'P-1', productCode: 'F', isConnector: false, quantity: 2, amount: 1000 }
const active = { status: 'active', price: 2000, currency: 'USD', providerItems: [item] } as const
const measured = { ...active, providerItems: [{ ...item, isMeasured: true, besidePrice: '' }] }
const noFee = { fee: 'setup fee 0 instead of 9900', rest: '' }
const readLess = 'what a cycle cannot collect is not billed with the next one'

test('a setup fee that was left out counts until something was granted', () => {
  const given = paypalSubscription({ isOverridden: true, lessThanPlan: noFee })
  expect(lessWords(asMeasured(given, { before: undefined, isAccepted: false }))).toBe(noFee.fee)
  expect(lessWords(asMeasured(given, { before: active, isAccepted: false }))).toBe('')
})

test.each([
  ['the plan’s own terms', paypalSubscription(), active],
  ['terms that leave out a setup fee alone', paypalSubscription({ lessThanPlan: noFee }), active],
  ['terms that were measured before', paypalSubscription({ isOverridden: true }), measured],
])('what was read as less before counts on %s', (_what, given, before) => {
  const read = asMeasured(given, { before, isAccepted: false, readLess })
  expect([read.isOverridden, lessWords(read)]).toEqual([true, readLess])
})
