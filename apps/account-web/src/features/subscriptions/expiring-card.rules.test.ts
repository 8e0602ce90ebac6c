import type { CardList } from '@atrium/contract/cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { expect, test } from 'vitest'
import { chargedByDefault, chargedSoon, chargedTooLate } from './expiring-card.rules.ts'

const now = new Date('2026-11-20T00:00:00Z')

function subscription(values: Partial<Subscription>): Subscription {
  const active = {
    stripeSubscriptionStatus: 'active',
    autoRenewal: 1,
    payType: 'card',
    paidFrom: 'account',
    paymentMethodId: '',
  } as const
  return { ...active, stripeCurrentPeriodEnd: '2026-12-10T00:00:00Z', ...values } as Subscription
}

function cards(...expiries: [id: string, month: number, year: number][]): CardList {
  const cardList = expiries.map(([id, expMonth, expYear]) => ({ id, card: { expMonth, expYear } }))
  return { cardList, defaultPaymentID: 'pm_default' } as CardList
}

test.each([
  [{}, 1],
  [{ stripeSubscriptionStatus: 'trialing' }, 1],
  [{ stripeSubscriptionStatus: 'past_due' }, 0],
  [{ autoRenewal: 0 }, 0],
  [{ payType: 'paypal' }, 0],
  [{ paidFrom: 'checkout' }, 0],
  [{ stripeCurrentPeriodEnd: '' }, 0],
  [{ stripeCurrentPeriodEnd: '2027-03-01T00:00:00Z' }, 0],
] as const)('%o is charged soon: %d', (values, expected) => {
  expect(chargedSoon([subscription(values)], now)).toHaveLength(expected)
})

test('the soonest comes first', () => {
  const ends = ['2026-12-10T00:00:00Z', '2026-12-01T00:00:00Z'].map((stripeCurrentPeriodEnd) =>
    subscription({ stripeCurrentPeriodEnd }),
  )
  expect(chargedSoon(ends, now).map((one) => one.stripeCurrentPeriodEnd.slice(8, 10))).toEqual(['01', '10'])
})

test('a card is valid until the end of its month; a card of its own counts instead of the default', () => {
  const soon = [subscription({})]
  expect(chargedTooLate(soon, cards(['pm_default', 11, 2026]))).toHaveLength(1)
  expect(chargedTooLate(soon, cards(['pm_default', 12, 2026]))).toHaveLength(0)
  const own = [subscription({ paymentMethodId: 'pm_own' })]
  expect(chargedTooLate(own, cards(['pm_default', 11, 2026], ['pm_own', 1, 2030]))).toHaveLength(0)
  expect(chargedTooLate(own, cards(['pm_default', 1, 2030], ['pm_own', 11, 2026]))).toHaveLength(1)
  // One that is not on file any more says nothing.
  expect(chargedTooLate(own, cards(['pm_default', 11, 2026]))).toHaveLength(0)
})

test.each([
  [{}, true],
  [{ stripeSubscriptionStatus: 'trialing' }, false],
  [{ paymentMethodId: 'pm_own' }, false],
  [{ autoRenewal: 0 }, false],
] as const)('the default card is to pay the renewal of %o: %s', (values, expected) => {
  expect(chargedByDefault(subscription(values), now)).toBe(expected)
})
