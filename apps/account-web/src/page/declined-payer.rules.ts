import type { CardList } from '@atrium/contract/cards.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'

type Facts = Pick<
  Subscription,
  'stripeSubscriptionStatus' | 'autoRenewal' | 'payType' | 'paymentMethodId' | 'lastDecline'
>

/**
 * The declined card that pays the next renewal all the same; undefined: another one pays, or nothing was declined.
 * @param cards those on file; undefined: not known yet
 */
export function declinedPayer(
  { stripeSubscriptionStatus: status, autoRenewal, payType, paymentMethodId, lastDecline }: Facts,
  cards: Pick<CardList, 'defaultPaymentID'> | undefined,
): Subscription['lastDecline'] {
  if (!lastDecline || status !== 'active' || autoRenewal === 0 || payType !== 'card') return undefined
  const payer = paymentMethodId === '' ? cards?.defaultPaymentID : paymentMethodId
  return payer === lastDecline.cardId ? lastDecline : undefined
}
