import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import type { Decline } from '../test-cards/behavior.rules.ts'
import { epochSeconds, newId, randomText } from '../wire/ids.rules.ts'

interface Charging {
  intent: Stripe.PaymentIntent
  method: Stripe.PaymentMethod
  /** Why the bank declined. */
  decline?: Decline
  isAuthenticated: boolean
}

/** Stores a charge of the intent's amount, paid or declined, and its event. */
export async function charge(call: Call, charging: Charging): Promise<Stripe.Charge> {
  const { intent, decline } = charging
  const object: Stripe.Charge = {
    id: newId('ch_'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    ...untouched,
    billing_details: { ...charging.method.billing_details },
    calculated_statement_descriptor: intent.statement_descriptor ?? 'SANDBOX',
    captured: !decline,
    created: epochSeconds(call.now),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    livemode: false,
    metadata: intent.metadata,
    outcome: outcomeOf(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: charging.method.id,
    payment_method_details: detailsOf(charging),
    receipt_email: intent.receipt_email,
    shipping: intent.shipping,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status: decline ? 'failed' : 'succeeded',
  }
  await save(call.tx, { kind: 'charge', object, hidden: null })
  await emitEvent(call, { type: decline ? 'charge.failed' : 'charge.succeeded', object })
  return object
}

/** Fields of features that the stand-in lacks: fees, refunds, disputes, transfers. */
const untouched = {
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  source: null,
  source_transfer: null,
  transfer_data: null,
  transfer_group: null,
}

function outcomeOf(decline: Decline | undefined): Stripe.Charge.Outcome {
  const outcome = {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: decline ? 'declined_by_network' : 'approved_by_network',
    reason: decline?.declineCode ?? null,
    risk_level: 'normal',
    risk_score: 20,
    seller_message: decline ? 'The bank did not approve the payment.' : 'Payment complete.',
    type: decline ? 'issuer_declined' : 'authorized',
  } satisfies Stripe.Charge.Outcome
  return decline?.isBlocked ? { ...outcome, ...blocked } : outcome
}

/** The outcome of a payment that was blocked before its bank was asked. */
const blocked = {
  network_status: 'not_sent_to_network',
  reason: 'highest_risk_level',
  risk_level: 'highest',
  risk_score: 90,
  seller_message: 'The payment was blocked as too risky.',
  type: 'blocked',
} satisfies Partial<Stripe.Charge.Outcome>

function detailsOf({ intent, method, decline, isAuthenticated }: Charging): Stripe.Charge.PaymentMethodDetails {
  const { card } = method
  if (!card) return { type: method.type }
  return {
    type: 'card',
    card: {
      amount_authorized: decline ? null : intent.amount,
      authorization_code: decline ? null : randomText(6).toUpperCase(),
      brand: card.brand,
      checks: card.checks && { ...card.checks },
      country: card.country,
      electronic_commerce_indicator: null,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      installments: null,
      last4: card.last4,
      mandate: null,
      network: card.brand,
      network_transaction_id: decline ? null : randomText(15).toUpperCase(),
      regulated_status: 'unregulated',
      three_d_secure: isAuthenticated ? challenged : null,
      transaction_link_id: null,
      wallet: null,
    },
  }
}

/** The 3-D Secure result of a cardholder who answered the bank's page. */
const challenged: Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: null,
  version: '2.2.0',
}
