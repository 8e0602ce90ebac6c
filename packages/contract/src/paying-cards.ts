import { z } from 'zod'
import { addingProblems, CardList, SetupIntent } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { PaymentMethodId } from './provider-ids.ts'
import { Subscription, SubscriptionId } from './subscriptions.ts'

const params = z.object({ sid: SubscriptionId })
/** `bought_through_partner`: its price is hidden, and it is paid to the partner who sold it. */
const owned = { not_owner: 403, bought_through_partner: 409 } as const
const payable = {
  /** The card provider does not bill it, or it renews no more. */
  not_renewing: 409,
  /** The vendor has planned at the card provider what pays for a later phase of it. */
  payer_planned: 409,
  payment_provider_unavailable: 503,
} as const

/**
 * The member's cards that can pay for a subscription: a card pays only where it is on file at the provider. What was entered at a
 * checkout is none of them while only a typed address says by whom.
 */
export const listPayingCards = endpoint({
  method: 'GET',
  path: '/account/subscriptions/:sid/cards/',
  summary: 'Cards that can pay for a subscription',
  limit: 'provider',
  params,
  query: z.object({
    /** `payer`: one of them is to pay for it from now on. What refuses that is said here, before a card is typed. */
    purpose: z.enum(['change', 'payer']).default('change'),
  }),
  support: 'read',
  reply: CardList,
  problems: { ...owned, ...payable, card_provider_unavailable: 503 },
})

/** `createSetupIntent` for a card that can pay for a subscription; `finishSetupIntent` finishes it. */
export const addPayingCard = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/setup-intents/',
  summary: 'Save a payment method as a card that can pay for a subscription',
  limit: 'provider',
  params,
  body: z.object({ paymentMethodId: PaymentMethodId }),
  reply: SetupIntent,
  problems: { ...owned, ...addingProblems },
})

/** One of its cards (`listPayingCards`) pays for a subscription from now on. Nothing is charged now. */
export const changePayingCard = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/card/',
  summary: 'Pay for a subscription with another card',
  limit: 'provider',
  params,
  body: z.object({ paymentMethodId: PaymentMethodId }),
  reply: Subscription,
  problems: {
    ...{ ...owned, ...payable },
    subscription_change_pending: 409,
    /** It may have been changed, and is resolved within two minutes. */
    payment_outcome_unknown: 502,
    card_provider_unavailable: 503,
  },
})
