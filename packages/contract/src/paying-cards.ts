import { z } from 'zod'
import { addingProblems, CardList, SetupIntent } from './cards.ts'
import { endpoint } from './endpoint.ts'
import { PaymentMethodId } from './provider-ids.ts'
import { SubscriptionId } from './subscriptions.ts'

const params = z.object({ sid: SubscriptionId })
const owned = { not_owner: 403 } as const

/**
 * The member's cards that can pay for a subscription: a card pays only where it is on file at the provider. What was entered at a
 * checkout is none of them while only a typed address says by whom.
 */
export const listPayingCards = endpoint({
  method: 'GET',
  path: '/account/subscriptions/:sid/cards/',
  summary: 'Cards that can pay for a subscription',
  params,
  support: 'read',
  reply: CardList,
  problems: { ...owned, card_provider_unavailable: 503 },
})

/** `createSetupIntent` for a card that can pay for a subscription; `finishSetupIntent` finishes it. */
export const addPayingCard = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/setup-intents/',
  summary: 'Save a payment method as a card that can pay for a subscription',
  params,
  body: z.object({ paymentMethodId: PaymentMethodId }),
  reply: SetupIntent,
  problems: { ...owned, ...addingProblems },
})
