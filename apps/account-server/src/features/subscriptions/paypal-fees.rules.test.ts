import { expect, test } from 'vitest'
import { paypalSubscription } from '../../test/paypal-subscriptions.ts'
import { reaches } from './paypal-price.rules.ts'

test.each([
  ['forints, whose sum PayPal rounds to whole ones', 'HUF', 27, 380_600, true],
  ['forints that are one less', 'HUF', 27, 380_500, false],
  ['dollars', 'USD', 19, 356_643, true],
  ['dollars that are two cents less', 'USD', 19, 356_641, false],
  ['dollars without a tax, of which a cent is missing', 'USD', 0, 299_699, false],
])('2,997.00 before a tax on top was paid with %s, or not', (_what, currency, taxOnTop, amount, isPaid) => {
  expect(reaches({ amount, tax: null }, paypalSubscription({ currency, taxOnTop }), 299_700)).toBe(isPaid)
})
