import type { Subscription } from '@atrium/contract/subscriptions.ts'

type Facts = Pick<Subscription, 'stripeSubscriptionStatus' | 'autoRenewal' | 'hideResume'>

/**
 * Whether auto-renewal can be turned off: of what renews at a provider, also of a trial, or what begins later, which would be charged; and
 * of what PayPal goes on to bill, although its last payment was not made, or waits.
 */
export function isRenewing(facts: Facts): boolean {
  return isOpen(facts) && facts.autoRenewal === 1
}

/** Whether auto-renewal can be turned on again: before the end, unless the end is final. */
export function isResumable(facts: Facts): boolean {
  return isOpen(facts) && facts.autoRenewal === 0
}

function isOpen({ stripeSubscriptionStatus: status, hideResume }: Facts): boolean {
  return hideResume === 0 && (status === 'active' || status === 'trialing' || status === 'pending')
}

interface Period {
  periodEnd: Date | null
  trialEnd: Date | null
  commitmentEnd: Date | null
  status: string
}

/** When a subscription ends if it does not renew: a year that is paid monthly ends with the year, but binds nobody before its trial is over. */
export function endWithoutRenewal({ periodEnd, trialEnd, commitmentEnd, status }: Period): Date | null {
  if (status === 'trialing') return trialEnd ?? periodEnd
  return commitmentEnd && periodEnd && commitmentEnd > periodEnd ? commitmentEnd : periodEnd
}
