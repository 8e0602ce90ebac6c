import type Stripe from 'stripe'
import { resultForBrowsers } from '../intents/intents.rules.ts'
import { errorForBrowsers } from '../store/for-browsers.rules.ts'
import { epochSeconds, newClientSecret, newId } from '../wire/ids.rules.ts'

type Made = Pick<
  Stripe.SetupIntent,
  'allowed_payment_method_types' | 'automatic_payment_methods' | 'payment_method_types' | 'usage'
>

/** A setup intent without a card. */
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

/** The fields that a publishable key may see: those the page needs, none of the customer. */
export function setupForBrowsers(intent: Stripe.SetupIntent, result: object): object {
  return resultForBrowsers(visible(intent), result)
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
