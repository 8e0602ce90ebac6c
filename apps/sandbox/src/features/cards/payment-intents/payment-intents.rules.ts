import type Stripe from 'stripe'
import { resultForBrowsers } from '../intents/intents.rules.ts'
import { errorForBrowsers } from '../store/for-browsers.rules.ts'
import { epochSeconds, newClientSecret, newId } from '../wire/ids.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'

type Made = Pick<
  Stripe.PaymentIntent,
  | 'allowed_payment_method_types'
  | 'amount'
  | 'automatic_payment_methods'
  | 'capture_method'
  | 'confirmation_method'
  | 'currency'
  | 'payment_method_types'
>

/** A payment with only an amount. */
export function newPayment(made: Made, now: Date): Stripe.PaymentIntent {
  const id = newId('pi_')
  return {
    id,
    object: 'payment_intent',
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    canceled_at: null,
    cancellation_reason: null,
    client_secret: newClientSecret(id),
    created: epochSeconds(now),
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: 'automatic' },
    },
    payment_record: null,
    processing: null,
    receipt_email: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: 'requires_payment_method',
    transfer_group: null,
    ...made,
  }
}

/** @throws Refusal for a browser that would change what only the server may decide */
export function refuseServersConfirmation(
  { confirmation_method, setup_future_usage: before }: Stripe.PaymentIntent,
  { setup_future_usage: wanted }: { setup_future_usage?: string | null | undefined },
): void {
  const code = 'payment_intent_invalid_parameter'
  if (confirmation_method === 'manual') {
    const message = 'This PaymentIntent is confirmed manually: its attempts are made with a secret API key.'
    throw invalidRequest(message, { code })
  }
  if (wanted === undefined || before === null || wanted === before || wanted === 'off_session') return
  const message = 'With a publishable API key, `setup_future_usage` changes from `on_session` to `off_session` alone.'
  throw invalidRequest(message, { code, param: 'setup_future_usage' })
}

/** The fields that a publishable key may see: those the page needs, none of the customer. */
export function paymentForBrowsers(intent: Stripe.PaymentIntent, result: object): object {
  return resultForBrowsers(visible(intent), result)
}

const seen = [
  'id',
  'object',
  'amount',
  'automatic_payment_methods',
  'canceled_at',
  'cancellation_reason',
  'capture_method',
  'client_secret',
  'confirmation_method',
  'created',
  'currency',
  'description',
  'last_payment_error',
  'livemode',
  'next_action',
  'payment_method',
  'payment_method_types',
  'processing',
  'receipt_email',
  'setup_future_usage',
  'shipping',
  'source',
  'status',
] as const satisfies (keyof Stripe.PaymentIntent)[]

function visible(intent: Stripe.PaymentIntent): object {
  return {
    ...Object.fromEntries(seen.map((name) => [name, intent[name]])),
    last_payment_error: errorForBrowsers(intent.last_payment_error),
  }
}
