import { CardList } from '@atrium/contract/cards.ts'
import { expect, test } from 'vitest'
import { afterTrial, dependsOnCards } from './trial.rules.ts'

const cards = CardList.parse({
  defaultPaymentID: '',
  hasOtherDefault: 0,
  cardList: [
    {
      ...{ id: 'pm_1', isExpired: false, metadata: { firstName: '', lastName: '' } },
      billingDetails: { address: { line1: '', city: '', state: '', country: '', postalCode: '' } },
      card: { brand: 'visa', last4: '4242', expMonth: 12, expYear: 2034 },
    },
  ],
})

test('a trial is paid with the default card, and ends without; turned off, it stops whatever there is', () => {
  const trial = { autoRenewal: 1, payType: 'card', paymentMethodId: '' } as const
  expect(afterTrial(trial, undefined)).toBeUndefined()
  expect(afterTrial(trial, { ...cards, defaultPaymentID: 'pm_1' })).toBe('paid')
  expect(afterTrial(trial, cards)).toBe('noDefault')
  expect(afterTrial(trial, { ...cards, cardList: [] })).toBe('noCard')
  expect(afterTrial(trial, { ...cards, hasOtherDefault: 1 })).toBe('paid')
  expect(afterTrial({ ...trial, paymentMethodId: 'pm_2' }, cards)).toBe('paid')
  expect(afterTrial({ ...trial, payType: 'paypal' }, undefined)).toBe('paid')
  expect(afterTrial({ ...trial, payType: '' }, { ...cards, defaultPaymentID: 'pm_1' })).toBeUndefined()
  expect(dependsOnCards(trial)).toBe(true)
  expect(dependsOnCards({ ...trial, paymentMethodId: 'pm_2' })).toBe(false)
  expect(dependsOnCards({ ...trial, payType: '' })).toBe(false)
  expect(afterTrial({ ...trial, autoRenewal: 0 }, { ...cards, defaultPaymentID: 'pm_1' })).toBe('stops')
})
