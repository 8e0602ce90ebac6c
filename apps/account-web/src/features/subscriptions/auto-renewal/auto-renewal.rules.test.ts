import { seatTypes } from '@atrium/contract/seat-types.ts'
import { expect, test } from 'vitest'
import { hasSwitch } from './auto-renewal.rules.ts'

const renewing = {
  userType: seatTypes.owner,
  stripeSubscriptionStatus: 'active',
  hideResume: 0,
  autoRenewal: 1,
} as const

test.each([
  ['renews', {}, true],
  ['is a trial', { stripeSubscriptionStatus: 'trialing' }, true],
  ['begins later, or goes on to be billed while a payment waits', { stripeSubscriptionStatus: 'pending' }, true],
  ['is in a state that is not known here', { stripeSubscriptionStatus: 'pending', hideResume: 1 }, false],
  ['is past due', { stripeSubscriptionStatus: 'past_due' }, false],
  ['has ended', { stripeSubscriptionStatus: 'canceled', hideResume: 1, autoRenewal: 0 }, false],
  ['is another’s', { userType: seatTypes.member }, false],
  ['was turned off', { autoRenewal: 0 }, true],
] as const)('auto-renewal has its switch where it can be turned off or on: it %s', (_name, values, wanted) => {
  expect(hasSwitch({ ...renewing, ...values }, true)).toBe(wanted)
})

test('where nothing is sold it is turned off, and not on', () => {
  expect([hasSwitch(renewing, false), hasSwitch({ ...renewing, autoRenewal: 0 }, false)]).toEqual([true, false])
})
