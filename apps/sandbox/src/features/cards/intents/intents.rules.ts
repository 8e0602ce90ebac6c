import type Stripe from 'stripe'
import { forBrowsers } from '../store/for-browsers.rules.ts'
import type { Decline } from '../test-cards/behavior.rules.ts'
import type { Access } from '../wire/access.rules.ts'
import { type ErrorBody, invalidRequest, noSuch, Refusal } from '../wire/refusal.ts'

export type Intent = Stripe.SetupIntent | Stripe.PaymentIntent

const open = ['requires_payment_method', 'requires_confirmation', 'requires_action']

/** Whether it can still be confirmed, because it has neither succeeded nor been canceled. */
export function isOpen({ status }: Intent): boolean {
  return open.includes(status)
}

/** Their names in the provider's messages. */
const names = { setup_intent: 'SetupIntent', payment_intent: 'PaymentIntent' } as const

/** @param verb `confirm`, `cancel` */
export function unexpectedState(intent: Intent, verb: string): Refusal {
  const message = `You cannot ${verb} this ${names[intent.object]} because it has a status of ${intent.status}.`
  const { body } = invalidRequest(message, { code: `${intent.object}_unexpected_state` })
  const shown = intent.object === 'setup_intent' ? { setup_intent: intent } : { payment_intent: intent }
  return new Refusal(400, { ...body, ...shown })
}

/** Whether the merchant requests 3-D Secure. */
export function isChallengeRequested({ payment_method_options: options }: Intent): boolean {
  return ['any', 'challenge'].includes(options?.card?.request_three_d_secure ?? '')
}

/** The reply to a publishable key. @param visible the fields that it may see */
export function resultForBrowsers(visible: object, result: object): object {
  if (!(result instanceof Refusal)) return visible
  const { payment_method, setup_intent, payment_intent, ...body } = result.body
  return new Refusal(result.status, {
    ...body,
    ...(payment_method && { payment_method: forBrowsers(payment_method) }),
    ...(setup_intent && { setup_intent: visible }),
    ...(payment_intent && { payment_intent: visible }),
  })
}

interface Automatic {
  enabled: boolean
  allow_redirects?: 'always' | 'never' | undefined
}

/** The payment method types of an intent: those enabled for the account, or the named ones. Here there are only cards. */
export function paymentMethodsOf(allowed: 'card'[] | undefined, automatic: Automatic | undefined) {
  return {
    allowed_payment_method_types: allowed ?? null,
    payment_method_types: ['card'],
    automatic_payment_methods:
      automatic?.enabled === false
        ? null
        : { allow_redirects: automatic?.allow_redirects ?? ('always' as const), enabled: true },
  }
}

interface Returning {
  intent: Pick<Stripe.SetupIntent, 'allowed_payment_method_types' | 'automatic_payment_methods'>
  returnUrl: string | null
  usesSdk: boolean
}

/** A server that confirms must send a return address, unless it rules out redirects. */
export function refuseMissingReturn({ intent, returnUrl, usesSdk }: Returning): void {
  const { allowed_payment_method_types: allowed, automatic_payment_methods: automatic } = intent
  if (!automatic || automatic.allow_redirects === 'never' || allowed || returnUrl !== null || usesSdk) return
  throw invalidRequest(
    'This intent accepts payment methods that might redirect your customer off of your page, so you must provide a `return_url`. To accept none that do, set `automatic_payment_methods[enabled]` to `true` and `automatic_payment_methods[allow_redirects]` to `never`.',
  )
}

interface Asking {
  /** Address of the bank's page. */
  url: string
  returnUrl: string | null
  /** Id of the challenge, shown as its source. */
  token: string
  usesSdk: boolean
}

/** The customer's next action: a redirect to the bank's page, or a frame that the browser SDK shows. */
export function nextAction({ url, returnUrl, token, usesSdk }: Asking) {
  return returnUrl !== null && !usesSdk
    ? { type: 'redirect_to_url', redirect_to_url: { return_url: returnUrl, url } }
    : {
        type: 'use_stripe_sdk',
        use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: `src_${token}` },
      }
}

/** Whether this is the open question of an intent. @param source of `next_action.use_stripe_sdk` */
export function isAsked(challenge: { token: string } | null, source: string): boolean {
  return challenge !== null && source === `src_${challenge.token}`
}

/** The error of an attempt, which its intent stores and the reply contains. It always names the card. */
export type AttemptError = ErrorBody & { payment_method: Stripe.PaymentMethod }

export function attemptError(decline: Decline, payment_method: Stripe.PaymentMethod, charge?: string): AttemptError {
  const { code, declineCode, message } = decline
  const { body } = new Refusal(402, {
    type: 'card_error',
    code,
    ...(charge && { charge }),
    decline_code: declineCode,
    message,
    payment_method,
    ...(code === 'incorrect_cvc' && { param: 'cvc' }),
    ...(code === 'expired_card' && { param: 'exp_month' }),
  })
  return { ...body, payment_method }
}

/** The cardholder failed the authentication. */
export function authenticationError(kind: 'setup' | 'payment', payment_method: Stripe.PaymentMethod): AttemptError {
  const { body } = new Refusal(402, {
    type: 'invalid_request_error',
    code: `${kind}_intent_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
    payment_method,
  })
  return { ...body, payment_method }
}

interface Secured {
  client_secret: string | null
}

/** @throws Refusal for a publishable key without the client secret, and for a wrong client secret */
export function refuseForeignSecret(intent: Secured, access: Access, given: string | undefined): void {
  if (access === 'publishable' && given === undefined) {
    throw invalidRequest('Missing required param: client_secret.', {
      code: 'parameter_missing',
      param: 'client_secret',
    })
  }
  if (given !== undefined && given !== intent.client_secret) {
    throw invalidRequest('The client_secret provided does not match any associated intent on this account.', {
      code: 'resource_missing',
      param: 'client_secret',
    })
  }
}

interface Holding {
  method: Stripe.PaymentMethod
  isSpent: boolean
  customer: string | null
}

/** @throws Refusal for another customer's card, or a card that cannot be used again */
export function refuseForeignMethod({ method, isSpent, customer }: Holding): void {
  if (isSpent) {
    throw invalidRequest(
      'The provided PaymentMethod was previously used without being attached to a Customer, or was detached from one. It may not be used again. To use a PaymentMethod multiple times, attach it to a Customer first.',
      { code: 'payment_method_unexpected_state', param: 'payment_method' },
    )
  }
  if (method.customer === null || method.customer === customer) return
  if (customer === null) {
    throw invalidRequest(
      'The payment method you provided is attached to a customer so for security purposes you must provide the customer in the request.',
      { param: 'payment_method' },
    )
  }
  throw invalidRequest(
    `The customer does not have a payment method with the ID ${method.id}. The payment method must be attached to the customer.`,
    { code: 'resource_missing', param: 'payment_method' },
  )
}

/** Their names in the provider's messages about missing ones; one is without its underscore. */
const missingNames = { setup: 'setupintent', payment: 'payment_intent' } as const

export function noSuchIntent(kind: 'setup' | 'payment', id: string): Refusal {
  return noSuch(missingNames[kind], id, { param: 'intent', status: 404 })
}
