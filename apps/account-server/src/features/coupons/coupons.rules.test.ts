import { expect, test } from 'vitest'
import { type Coupon, couponFault, discountOf } from './coupons.rules.ts'

const now = new Date('2026-11-20T00:00:00Z')
const purchase = { productCode: 'editor', term: 'monthly', currency: 'USD', country: 'DE' } as const
const uses = { all: 0, own: 0 }

function coupon(values: Partial<Coupon> = {}): Coupon {
  return {
    ...{ code: 'X', percentOff: 30, amountOff: null, currency: null, products: [], terms: [], countries: [] },
    ...{ validFrom: null, validUntil: null, maxUses: null, maxUsesPerCustomer: 1, usesElsewhere: 0 },
    ...values,
  }
}

test.each([
  // 001 §4: what is left is floored, here to 13.99.
  [30, { bought: 1999, subtotal: 1999 }, 600],
  [33.33, { bought: 1000, subtotal: 1000 }, 334],
  [100, { bought: 999, subtotal: 999 }, 999],
  // Yen have no minor unit.
  [15, { bought: 333, subtotal: 333 }, 50],
  // Of what is bought, not of what the credit leaves; at most what the credit leaves.
  [10, { bought: 2000, subtotal: 1500 }, 200],
  [50, { bought: 2000, subtotal: 700 }, 700],
  [50, { bought: 2000, subtotal: -100 }, 0],
])('%d percent of %o takes off %d', (percentOff, sums, expected) => {
  expect(discountOf(coupon({ percentOff }), { ...sums, step: 1 })).toBe(expected)
})

test.each([
  // The last digit of a dinar's amount is 0 at the card provider: what is left too, and never above the exact price.
  [33.33, { bought: 33_330, subtotal: 33_330, step: 10 }, 11_110],
  [15, { bought: 33_330, subtotal: 33_330, step: 10 }, 5000],
  [100, { bought: 33_330, subtotal: 33_330, step: 10 }, 33_330],
  // What the provider has prorated may end otherwise: all of it is taken off, and nothing beyond.
  [100, { bought: 1233, subtotal: 1233, step: 10 }, 1233],
  [99.9, { bought: 1233, subtotal: 1233, step: 10 }, 1233],
  [30, { bought: 1233, subtotal: 1233, step: 10 }, 370],
  // Whole forints at PayPal.
  [15, { bought: 149_900, subtotal: 149_900, step: 100 }, 22_500],
])('%d percent of %o takes off %d, which can be charged', (percentOff, sums, expected) => {
  expect(discountOf(coupon({ percentOff }), sums)).toBe(expected)
})

test('an amount takes off no more than there is to pay', () => {
  const five = coupon({ percentOff: null, amountOff: 500, currency: 'USD' })
  expect(discountOf(five, { bought: 2000, subtotal: 1200, step: 1 })).toBe(500)
  expect(discountOf(five, { bought: 2000, subtotal: 300, step: 1 })).toBe(300)
  const fils = coupon({ percentOff: null, amountOff: 1275, currency: 'KWD' })
  expect(discountOf(fils, { bought: 33_330, subtotal: 33_330, step: 10 })).toBe(1280)
})

test.each([
  [{}, undefined],
  [{ validUntil: now }, 'coupon_expired'],
  [{ validFrom: new Date(now.getTime() + 1) }, 'coupon_not_yet_valid'],
  [{ validFrom: now, validUntil: new Date(now.getTime() + 1) }, undefined],
  [{ maxUses: 2, usesElsewhere: 2 }, 'coupon_used_up'],
  [{ products: ['other'] }, 'coupon_other_product'],
  [{ products: ['other', 'editor'] }, undefined],
  [{ terms: ['yearly'] as const }, 'coupon_other_term'],
  [{ currency: 'EUR' }, 'coupon_other_currency'],
  [{ countries: ['FR', 'US'] }, 'coupon_other_country'],
  [{ countries: ['DE'] }, undefined],
])('%o: %s', (values, expected) => {
  expect(couponFault(coupon(values), { purchase, uses, now })).toBe(expected)
})

test('uses count with those at the provider, and by customer', () => {
  const twice = coupon({ maxUses: 3, usesElsewhere: 1, maxUsesPerCustomer: 2 })
  expect(couponFault(twice, { purchase, uses: { all: 1, own: 1 }, now })).toBeUndefined()
  expect(couponFault(twice, { purchase, uses: { all: 2, own: 1 }, now })).toBe('coupon_used_up')
  const often = { ...twice, maxUses: null }
  expect(couponFault(often, { purchase, uses: { all: 9, own: 2 }, now })).toBe('coupon_used_before')
})
