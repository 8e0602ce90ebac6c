import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import type { Tone } from '@atrium/ui/notice.tsx'

/** The color of a subscription's state. */
export function toneOfSubscription(status: SubscriptionStatus): Tone {
  return tones[status]
}

const tones = {
  active: 'good',
  'offline-purchase': 'good',
  given: 'good',
  trialing: 'info',
  past_due: 'bad',
  pending: 'warning',
  canceled: 'off',
  'prepayment-expired': 'off',
} as const satisfies Record<SubscriptionStatus, Tone>
