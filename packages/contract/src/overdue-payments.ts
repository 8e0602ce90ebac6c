import { z } from 'zod'
import { cardRefused } from './declines.ts'
import { endpoint } from './endpoint.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { SubscriptionId } from './subscriptions.ts'

const Due = z.object({ amount: MinorUnits, currency: CurrencyCode })

/** How a payment stands (001 §3, "Purchase or change response"). */
const Payment = z.object({
  /** `succeeded`: it is paid. `requires_action`: the bank asks, with `clientSecret`. */
  paymentIntentStatus: z.enum(['succeeded', 'requires_action']),
  /** Only for the provider's browser SDK. */
  clientSecret: z.string(),
  chargeAmount: MinorUnits,
  currency: CurrencyCode,
})

const paying = {
  not_owner: 403,
  card_refused: cardRefused,
  nothing_due: 409,
  /** What pays for it was entered at a checkout, and only an address says that it was the member's: another card is needed. */
  card_required: 409,
  /** Its price is hidden: it is paid to the partner who sold it. */
  bought_through_partner: 409,
  /** Another amount is open than the customer saw: nothing was charged, and this is it. */
  amount_changed: { status: 409, data: Due },
  /** A change of the subscription is not resolved yet. */
  subscription_change_pending: 409,
  payment_provider_unavailable: 503,
  /** It may have been charged, and is resolved within two minutes. */
  payment_outcome_unknown: 502,
} as const

/**
 * Pays what is open of a subscription whose payment has failed, with a card on file: "Pay {amount} now" after a new default card.
 * Charges `amount` or nothing.
 */
export const payOverdue = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/payment/',
  summary: 'Pay what is overdue of a subscription',
  limit: 'provider',
  params: z.object({ sid: SubscriptionId }),
  body: Due.extend({
    /** One of the cards on file; empty: the one that pays for the subscription. */
    paymentMethodId: z.string().max(64).default(''),
  }),
  reply: Payment,
  problems: paying,
})

/**
 * After the bank's question, whatever its answer: the server asks the provider, and does not trust the page. Of several invoices it then
 * pays the next one, about which the bank may ask again.
 */
export const finishOverduePayment = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/payment/finish/',
  summary: 'Finish a payment after the bank’s question',
  limit: 'provider',
  params: z.object({ sid: SubscriptionId }),
  reply: Payment,
  problems: { ...paying, nothing_to_finish: 409 },
})
