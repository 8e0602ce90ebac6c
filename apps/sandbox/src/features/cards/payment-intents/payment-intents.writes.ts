import type Stripe from 'stripe'
import { charge } from '../charges/charges.writes.ts'
import { emitEvent } from '../events/events.writes.ts'
import {
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
import { type Decline, declines } from '../test-cards/behavior.rules.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import { type ErrorBody, invalidRequest, Refusal } from '../wire/refusal.ts'

export type StoredPayment = StoredOf<'payment_intent'>
type StoredMethod = StoredOf<'payment_method'>

interface Confirmation {
  error_on_requires_action?: boolean | undefined
  off_session?: boolean | undefined
  return_url?: string | undefined
  use_stripe_sdk?: boolean | undefined
  /** Of an invoice that is charged off session: the cardholder authenticates later, instead of a decline. */
  asksLater?: boolean | undefined
}

/**
 * Charges the card of an open intent: it is paid or declined, or the cardholder must authenticate first.
 * @returns the intent, or the refusal to answer with (which the intent stores too)
 */
export async function confirmPayment(
  call: Call,
  stored: StoredPayment,
  given: Confirmation,
): Promise<Stripe.PaymentIntent | Refusal> {
  const { object } = stored
  const methodId = idOf(object.payment_method)
  if (methodId === null) {
    throw invalidRequest("You cannot confirm this PaymentIntent because it's missing a payment method.", {
      code: 'payment_intent_unexpected_state',
    })
  }
  const isOffSession = given.off_session ?? false
  const usesSdk = given.use_stripe_sdk ?? false
  const returnUrl = given.return_url ?? stored.hidden.returnUrl
  const mayRedirect = !isOffSession && given.error_on_requires_action !== true
  if (mayRedirect) refuseMissingReturn({ intent: object, returnUrl, usesSdk })

  const method = await paymentMethod(call, methodId)
  refuseForeignMethod({ method: method.object, isSpent: method.hidden.isSpent, customer: idOf(object.customer) })
  const answered = bankSays(call, object, { method, isOffSession, isAuthenticated: false })
  const said = given.asksLater && answered === declines.authenticationRequired ? 'challenge' : answered
  const confirmed = { ...stored, hidden: { ...stored.hidden, returnUrl, challenge: null } }
  if (said === 'approved') return succeed(call, confirmed, { method, isAuthenticated: false })
  if (said !== 'challenge') return decline(call, confirmed, { method, decline: said, isAuthenticated: false })
  if (given.error_on_requires_action === true) {
    return fail(call, confirmed, attemptError(declines.authenticationNotHandled, method.object))
  }
  return challenge(call, confirmed, usesSdk)
}

/** Continues after the cardholder has answered the bank. */
export async function answerPayment(
  call: Call,
  stored: StoredPayment,
  isAuthenticated: boolean,
): Promise<Stripe.PaymentIntent> {
  const method = await paymentMethod(call, idOf(stored.object.payment_method) ?? '')
  const rest: Stripe.PaymentIntent = { ...stored.object, status: 'requires_payment_method' }
  if (!isAuthenticated) {
    await fail(call, stored, authenticationError('payment', method.object))
    return rest
  }
  const said = bankSays(call, stored.object, { method, isOffSession: false, isAuthenticated: true })
  if (typeof said !== 'object') return succeed(call, stored, { method, isAuthenticated: true })
  await decline(call, stored, { method, decline: said, isAuthenticated: true })
  return rest
}

interface Circumstances {
  method: StoredMethod
  isOffSession: boolean
  isAuthenticated: boolean
}

function bankSays(call: Call, intent: Stripe.PaymentIntent, { method, ...circumstances }: Circumstances) {
  const isAskedFor = isChallengeRequested(intent)
  return askBank(call, method, { purpose: 'payment', isAskedFor, ...circumstances })
}

async function challenge(call: Call, stored: StoredPayment, usesSdk: boolean): Promise<Stripe.PaymentIntent> {
  const { nextAction, hidden } = newChallenge(call, { returnUrl: stored.hidden.returnUrl, usesSdk })
  const object: Stripe.PaymentIntent = {
    ...stored.object,
    last_payment_error: null,
    next_action: nextAction,
    status: 'requires_action',
  }
  const asked = { ...stored, object, hidden: { ...stored.hidden, ...hidden } }
  await save(call.tx, asked)
  await emitEvent(call, { type: 'payment_intent.requires_action', object })
  await call.onPayment(call, asked)
  return object
}

interface Agreed {
  method: StoredMethod
  isAuthenticated: boolean
}

async function succeed(
  call: Call,
  stored: StoredPayment,
  { method, isAuthenticated }: Agreed,
): Promise<Stripe.PaymentIntent> {
  const charged = await charge(call, { intent: stored.object, method: method.object, isAuthenticated })
  await saveMethod(call, stored.object, method)
  const object: Stripe.PaymentIntent = {
    ...stored.object,
    amount_received: stored.object.amount,
    last_payment_error: null,
    latest_charge: charged.id,
    next_action: null,
    payment_method: method.object.id,
    status: 'succeeded',
  }
  const paid = { ...stored, object, hidden: { ...stored.hidden, challenge: null } }
  await save(call.tx, paid)
  await emitEvent(call, { type: 'payment_intent.succeeded', object })
  await call.onPayment(call, paid)
  return object
}

/** After a payment, a card for future use is attached to the customer. Without a customer it cannot be used again. */
async function saveMethod(call: Call, intent: Stripe.PaymentIntent, method: StoredMethod): Promise<void> {
  const customer = idOf(intent.customer)
  const isSetUp = method.hidden.isSetUp || intent.setup_future_usage === 'off_session'
  const isHeld = method.object.customer !== null
  const isSaved = intent.setup_future_usage !== null && customer !== null
  const used: StoredMethod = { ...method, hidden: { ...method.hidden, isSetUp, isSpent: !isHeld && !isSaved } }
  if (isSaved && !isHeld) await attach(call, used, customer)
  else await save(call.tx, used)
}

interface Declined extends Agreed {
  decline: Decline
}

/** A decline of the bank is a failed charge. */
async function decline(call: Call, stored: StoredPayment, declined: Declined): Promise<Refusal> {
  const { method } = declined
  const charged = await charge(call, { intent: stored.object, ...declined, method: method.object })
  const attempted = { ...stored, object: { ...stored.object, latest_charge: charged.id } }
  return fail(call, attempted, attemptError(declined.decline, method.object, charged.id))
}

async function fail(call: Call, stored: StoredPayment, error: ErrorBody): Promise<Refusal> {
  const object: Stripe.PaymentIntent = {
    ...stored.object,
    last_payment_error: error,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  }
  const failed = { ...stored, object, hidden: { ...stored.hidden, challenge: null } }
  await save(call.tx, failed)
  await emitEvent(call, { type: 'payment_intent.payment_failed', object })
  await call.onPayment(call, failed)
  return new Refusal(402, { ...error, payment_intent: object })
}

export async function cancelPayment(
  call: Call,
  stored: StoredPayment,
  reason: Stripe.PaymentIntent.CancellationReason | 'void_invoice' | null,
): Promise<Stripe.PaymentIntent> {
  if (!isOpen(stored.object)) throw unexpectedState(stored.object, 'cancel')
  const object: Stripe.PaymentIntent = {
    ...stored.object,
    canceled_at: epochSeconds(call.now),
    cancellation_reason: reason,
    next_action: null,
    status: 'canceled',
  }
  await save(call.tx, { ...stored, object, hidden: { ...stored.hidden, challenge: null } })
  await emitEvent(call, { type: 'payment_intent.canceled', object })
  return object
}
