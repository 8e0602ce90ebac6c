import type { CardEdit, readCard } from '@atrium/contract/cards.ts'
import type { EndpointReply } from '@atrium/contract/endpoint.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'

/** `08/2034`: as printed on the card, in every language. */
export function expiryText({ expMonth, expYear }: { expMonth: number; expYear: number }): string {
  return `${String(expMonth).padStart(2, '0')}/${expYear}`
}

const dayMs = 86_400_000

/** How long before its end a card is said to expire soon, in days. */
const soon = 70

/** The time until a card expires, after the last day of its month, in weeks or days; undefined while that is not soon. */
export function timeToExpiry(
  { expMonth, expYear }: { expMonth: number; expYear: number },
  now: Date,
): { value: number; unit: 'week' | 'day' } | undefined {
  const days = Math.ceil((Date.UTC(expYear, expMonth) - now.getTime()) / dayMs)
  if (days <= 0 || days > soon) return undefined
  return days < 14 ? { value: days, unit: 'day' } : { value: Math.floor(days / 7), unit: 'week' }
}

/** The next step after a decline whose reason is said, and with it that another card may do: what that leaves out. */
export function stepsAfterDecline(reason: Subscription['declineReason'], hasOther: boolean): ('default' | 'retry')[] {
  const isRetrySaid = reason === 'authentication_failed' || reason === 'processing_error'
  // An expired card is not tried again.
  const mayRetry = !isRetrySaid && reason !== 'expired_card'
  return [...(hasOther ? (['default'] as const) : []), ...(mayRetry ? (['retry'] as const) : [])]
}

/** The initial values of the edit dialog. */
export function editOf({ detail }: EndpointReply<typeof readCard>): CardEdit {
  const { line1, city, state, country, postalCode } = detail.billingDetails.address
  const { firstName, lastName } = detail.metadata
  return { firstname: firstName, lastname: lastName, country, address: line1, state, city, zip: postalCode }
}
