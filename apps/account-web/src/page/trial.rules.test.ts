import { CardList } from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { afterTrial, dependsOnCards } from './trial.rules.ts'

const cards = CardList.parse({
  defaultPaymentID: '',
  hasOtherDefault: 0,
  cardList: [
    {
      ...{ id: 'pm_1', isExpired: false, canBeDefault: true, metadata: { firstName: '', lastName: '' } },
      billingDetails: { address: { line1: '', city: '', state: '', country: '', postalCode: '' } },
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 },
    },
  ],
})

const end = Date.UTC(2026, 10, 30)

test('a trial cannot be paid with a card that will have expired when it ends', () => {
  const trial = { autoRenewal: 1, payType: 'card', paymentMethodId: '' } as const
  const byDefault = { ...cards, defaultPaymentID: 'pm_1' }
  const after = Date.UTC(2035, 0)
  expect(afterTrial(trial, byDefault, after - 1)).toBe('paid')
  expect(afterTrial(trial, byDefault, after)).toBe('expired')
  expect(afterTrial({ ...trial, paymentMethodId: 'pm_1' }, cards, after)).toBe('expired')
  expect(afterTrial({ ...trial, payType: 'paypal' }, byDefault, after)).toBe('paid')
  expect(afterTrial({ ...trial, autoRenewal: 0 }, byDefault, after)).toBe('stops')
})

test('a trial is paid with the default card, and ends without; turned off, it stops whatever there is', () => {
  const trial = { autoRenewal: 1, payType: 'card', paymentMethodId: '' } as const
  expect(afterTrial(trial, undefined, end)).toBeUndefined()
  expect(afterTrial(trial, { ...cards, defaultPaymentID: 'pm_1' }, end)).toBe('paid')
  expect(afterTrial(trial, cards, end)).toBe('noDefault')
  expect(afterTrial(trial, { ...cards, cardList: [] }, end)).toBe('noCard')
  expect(afterTrial(trial, { ...cards, hasOtherDefault: 1 }, end)).toBe('paid')
  expect(afterTrial({ ...trial, paymentMethodId: 'pm_2' }, cards, end)).toBe('paid')
  expect(afterTrial({ ...trial, payType: 'paypal' }, undefined, end)).toBe('paid')
  expect(afterTrial({ ...trial, payType: '' }, { ...cards, defaultPaymentID: 'pm_1' }, end)).toBeUndefined()
  expect(dependsOnCards(trial)).toBe(true)
  expect(dependsOnCards({ ...trial, paymentMethodId: 'pm_2' })).toBe(true)
  expect(dependsOnCards({ ...trial, autoRenewal: 0 })).toBe(false)
  expect(dependsOnCards({ ...trial, payType: '' })).toBe(false)
  expect(afterTrial({ ...trial, autoRenewal: 0 }, { ...cards, defaultPaymentID: 'pm_1' }, end)).toBe('stops')
})
