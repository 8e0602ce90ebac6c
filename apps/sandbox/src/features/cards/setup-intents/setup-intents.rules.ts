import type Stripe from 'stripe'
import { errorForBrowsers, forBrowsers } from '../payment-methods/payment-methods.rules.ts'
import { epochSeconds, newClientSecret, newId } from '../wire/ids.rules.ts'
import { Refusal } from '../wire/refusal.ts'

type Made = Pick<
  Stripe.SetupIntent,
  'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types' | 'usage'
>

/** A setup without a card yet. */
export function newSetup(made: Made, now: Date): Stripe.SetupIntent {
  const id = newId('seti_')
  return {
    id,
    object: 'setup_intent',
    application: null,
    cancellation_reason: null,
    client_secret: newClientSecret(id),
    created: epochSeconds(now),
    customer: null,
    customer_account: null,
    description: null,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: false,
    mandate: null,
    metadata: {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: { card: { mandate_options: null, network: null, request_three_d_secure: 'automatic' } },
    single_use_mandate: null,
    status: 'requires_payment_method',
    ...made,
  }
}

/** What a publishable key is shown: what the page needs to go on, nothing of the customer. */
export function setupForBrowsers(intent: Stripe.SetupIntent, result: object): object {
  if (!(result instanceof Refusal)) return visible(intent)
  const { payment_method, setup_intent, ...body } = result.body
  return new Refusal(result.status, {
    ...body,
    ...(payment_method && { payment_method: forBrowsers(payment_method) }),
    ...(setup_intent && { setup_intent: visible(intent) }),
  })
}

function visible(intent: Stripe.SetupIntent) {
  const { id, object, cancellation_reason, client_secret, created, description, last_setup_error, livemode } = intent
  const { next_action, payment_method, payment_method_types, status, usage } = intent
  return {
    id,
    object,
    cancellation_reason,
    client_secret,
    created,
    description,
    last_setup_error: errorForBrowsers(last_setup_error),
    livemode,
    next_action,
    payment_method,
    payment_method_types,
    status,
    usage,
  }
}
