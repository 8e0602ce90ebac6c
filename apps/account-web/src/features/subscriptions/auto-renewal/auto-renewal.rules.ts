import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'

type Facts = Pick<Subscription, 'userType' | 'stripeSubscriptionStatus' | 'hideResume' | 'autoRenewal'>

/** For the Owner of what can be turned off or on; also of what would be charged later: a trial, or what is pending. Nothing is turned on in Russian. */
export function hasSwitch(
  { userType, stripeSubscriptionStatus: status, hideResume, autoRenewal }: Facts,
  maySell: boolean,
): boolean {
  const isRunning = status === 'active' || status === 'trialing' || status === 'pending'
  return userType === seatTypes.owner && isRunning && hideResume === 0 && (autoRenewal === 1 || maySell)
}
