import type Stripe from 'stripe'
import type { Call } from '../requests/call.ts'
import { findLocked, save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { epochSeconds, newId } from '../wire/ids.rules.ts'
import type { ErrorBody } from '../wire/refusal.ts'

interface Outcome {
  method: Stripe.PaymentMethod
  status: 'succeeded' | 'failed' | 'requires_action'
  error?: ErrorBody
}

/** Stores the outcome of an attempt: a new one, or the one whose question the cardholder has just answered. */
export async function recordAttempt(call: Call, stored: StoredOf<'setup_intent'>, outcome: Outcome): Promise<string> {
  const { object: intent, hidden } = stored
  const isAnswered = hidden.challenge !== null
  const asked = isAnswered ? await findLocked(call.tx, 'setup_attempt', idOf(intent.latest_attempt) ?? '') : undefined
  const object: Stripe.SetupAttempt = {
    id: asked?.object.id ?? newId('setatt_'),
    object: 'setup_attempt',
    application: null,
    created: asked?.object.created ?? epochSeconds(call.now),
    customer: idOf(intent.customer),
    customer_account: null,
    flow_directions: null,
    livemode: false,
    on_behalf_of: null,
    payment_method: outcome.method.id,
    payment_method_details: detailsOf(outcome, isAnswered),
    setup_error: outcome.error ?? null,
    setup_intent: intent.id,
    status: outcome.status,
    usage: intent.usage,
  }
  await save(call.tx, { kind: 'setup_attempt', object, hidden: null })
  return object.id
}

/** Abandons an open question, because the intent was canceled or is confirmed again. */
export async function abandonAttempt(call: Call, intent: Stripe.SetupIntent): Promise<void> {
  const asked = await findLocked(call.tx, 'setup_attempt', idOf(intent.latest_attempt) ?? '')
  if (asked?.object.status !== 'requires_action') return
  await save(call.tx, { ...asked, object: { ...asked.object, status: 'abandoned' } })
}

function detailsOf({ method, status }: Outcome, isAnswered: boolean): Stripe.SetupAttempt.PaymentMethodDetails {
  const { card } = method
  if (!card) return { type: method.type }
  return {
    type: 'card',
    card: {
      brand: card.brand,
      checks: card.checks && { ...card.checks },
      country: card.country,
      exp_month: card.exp_month,
      exp_year: card.exp_year,
      fingerprint: card.fingerprint ?? null,
      funding: card.funding,
      last4: card.last4,
      network: card.brand,
      three_d_secure: isAnswered ? authenticationResult(status === 'succeeded') : null,
      wallet: null,
    },
  }
}

function authenticationResult(hasSucceeded: boolean): Stripe.SetupAttempt.PaymentMethodDetails.Card.ThreeDSecure {
  return {
    authentication_flow: 'challenge',
    electronic_commerce_indicator: hasSucceeded ? '05' : null,
    result: hasSucceeded ? 'authenticated' : 'failed',
    result_reason: hasSucceeded ? null : 'rejected',
    transaction_id: null,
    version: '2.2.0',
  }
}
