import type Stripe from 'stripe'
import { emitEvent } from '../events/events.writes.ts'
import {
  type AttemptError,
  attemptError,
  authenticationError,
  isChallengeRequested,
  isOpen,
  refuseForeignMethod,
  refuseMissingReturn,
  unexpectedState,
} from '../intents/intents.rules.ts'
import { newChallenge } from '../intents/intents.writes.ts'
import { attach } from '../payment-methods/attachment.writes.ts'
import { askBank } from '../payment-methods/bank.rules.ts'
import { paymentMethod } from '../payment-methods/payment-methods.writes.ts'
import type { Call } from '../requests/call.ts'
import { save } from '../store/store.ts'
import { idOf, type StoredOf } from '../store/stored.ts'
import { invalidRequest, Refusal } from '../wire/refusal.ts'
import { abandonAttempt, recordAttempt } from './setup-attempts.writes.ts'

export type StoredSetup = StoredOf<'setup_intent'>
type StoredMethod = StoredOf<'payment_method'>

/** A card is set up on session. */
const inPerson = { purpose: 'setup', isOffSession: false } as const

interface Confirmation {
  return_url?: string | undefined
  use_stripe_sdk?: boolean | undefined
}

/**
 * Sets up the card of an open intent: the bank approves, declines, or requires authentication first.
 * @returns the intent, or the refusal to answer with (which the intent stores too)
 */
export async function confirmSetup(
  call: Call,
  stored: StoredSetup,
  given: Confirmation,
): Promise<Stripe.SetupIntent | Refusal> {
  const { object } = stored
  const methodId = idOf(object.payment_method)
  if (methodId === null) {
    throw new Refusal(400, {
      ...invalidRequest("You cannot confirm this SetupIntent because it's missing a payment method.", {
        code: 'setup_intent_unexpected_state',
      }).body,
      setup_intent: object,
    })
  }
  const usesSdk = given.use_stripe_sdk ?? false
  const returnUrl = given.return_url ?? stored.hidden.returnUrl
  refuseMissingReturn({ intent: object, returnUrl, usesSdk })

  const method = await paymentMethod(call, methodId)
  refuseForeignMethod({ method: method.object, isSpent: method.hidden.isSpent, customer: idOf(object.customer) })
  const said = askBank(call, method, { ...inPerson, isAskedFor: isChallengeRequested(object), isAuthenticated: false })
  await abandonAttempt(call, object)
  const confirmed: StoredSetup = { ...stored, hidden: { returnUrl, challenge: null } }
  if (said === 'approved') return succeed(call, confirmed, method)
  if (said !== 'challenge') return fail(call, confirmed, attemptError(said, method.object))
  return challenge(call, confirmed, { method: method.object, usesSdk })
}

interface Asking {
  method: Stripe.PaymentMethod
  usesSdk: boolean
}

async function challenge(call: Call, stored: StoredSetup, { method, usesSdk }: Asking): Promise<Stripe.SetupIntent> {
  const { nextAction, hidden } = newChallenge(call, { returnUrl: stored.hidden.returnUrl, usesSdk })
  const object: Stripe.SetupIntent = {
    ...stored.object,
    last_setup_error: null,
    latest_attempt: await recordAttempt(call, stored, { method, status: 'requires_action' }),
    next_action: nextAction,
    status: 'requires_action',
  }
  await save(call.tx, { ...stored, object, hidden })
  await emitEvent(call, { type: 'setup_intent.requires_action', object })
  return object
}

/** Continues after the cardholder has answered the bank. */
export async function answerSetup(
  call: Call,
  stored: StoredSetup,
  isAuthenticated: boolean,
): Promise<Stripe.SetupIntent> {
  const method = await paymentMethod(call, idOf(stored.object.payment_method) ?? '')
  const said = askBank(call, method, { ...inPerson, isAskedFor: true, isAuthenticated: true })
  if (isAuthenticated && said === 'approved') return succeed(call, stored, method)
  const error =
    isAuthenticated && typeof said === 'object'
      ? attemptError(said, method.object)
      : authenticationError('setup', method.object)
  await fail(call, stored, error)
  return { ...stored.object, status: 'requires_payment_method' }
}

async function succeed(call: Call, stored: StoredSetup, method: StoredMethod): Promise<Stripe.SetupIntent> {
  const customer = idOf(stored.object.customer)
  const isSetUp = method.hidden.isSetUp || stored.object.usage === 'off_session'
  const agreed: StoredMethod = { ...method, hidden: { ...method.hidden, isSetUp } }
  if (customer !== null && method.object.customer === null) await attach(call, agreed, customer)
  else await save(call.tx, agreed)

  const object: Stripe.SetupIntent = {
    ...stored.object,
    last_setup_error: null,
    latest_attempt: await recordAttempt(call, stored, { method: method.object, status: 'succeeded' }),
    next_action: null,
    payment_method: method.object.id,
    status: 'succeeded',
  }
  await save(call.tx, { ...stored, object, hidden: { ...stored.hidden, challenge: null } })
  await emitEvent(call, { type: 'setup_intent.succeeded', object })
  await call.onSetup(call, object)
  return object
}

async function fail(call: Call, stored: StoredSetup, error: AttemptError): Promise<Refusal> {
  const object: Stripe.SetupIntent = {
    ...stored.object,
    last_setup_error: error,
    latest_attempt: await recordAttempt(call, stored, { method: error.payment_method, status: 'failed', error }),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  await save(call.tx, { ...stored, object, hidden: { ...stored.hidden, challenge: null } })
  await emitEvent(call, { type: 'setup_intent.setup_failed', object })
  return new Refusal(402, { ...error, setup_intent: object })
}

export async function cancelSetup(
  call: Call,
  stored: StoredSetup,
  reason: Stripe.SetupIntent.CancellationReason | null,
): Promise<Stripe.SetupIntent> {
  if (!isOpen(stored.object)) throw unexpectedState(stored.object, 'cancel')
  await abandonAttempt(call, stored.object)
  const object: Stripe.SetupIntent = {
    ...stored.object,
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  }
  await save(call.tx, { ...stored, object, hidden: { ...stored.hidden, challenge: null } })
  await emitEvent(call, { type: 'setup_intent.canceled', object })
  return object
}
