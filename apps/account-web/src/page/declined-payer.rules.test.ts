import { expect, test } from 'vitest'
import { declinedPayer } from './declined-payer.rules.ts'

const lastDecline = { cardId: 'pm_1', brand: 'visa', last4: '0341', at: '2026-06-01T00:00:00.000Z' }
const renewing = { stripeSubscriptionStatus: 'active', autoRenewal: 1, payType: 'card', paymentMethodId: '' } as const
const payer = (over: Partial<Parameters<typeof declinedPayer>[0]> = {}, defaultPaymentID = 'pm_1') =>
  declinedPayer({ ...renewing, lastDecline, ...over }, { defaultPaymentID })

test('a declined card is named while it pays the renewals, as the default or as the subscription’s own', () => {
  expect(payer()).toBe(lastDecline)
  expect(payer({}, 'pm_2')).toBeUndefined()
  expect(payer({ paymentMethodId: 'pm_1' }, 'pm_2')).toBe(lastDecline)
  expect(payer({ paymentMethodId: 'pm_2' })).toBeUndefined()
})

test('… and there are renewals that a card pays', () => {
  expect(payer({ autoRenewal: 0 })).toBeUndefined()
  expect(payer({ payType: 'paypal' })).toBeUndefined()
  expect(payer({ stripeSubscriptionStatus: 'past_due' })).toBeUndefined()
  expect(payer({ lastDecline: undefined })).toBeUndefined()
  expect(declinedPayer({ ...renewing, lastDecline }, undefined)).toBeUndefined()
})
