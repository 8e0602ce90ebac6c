import type { PaymentIntent, SetupIntent, StripeError } from '@stripe/stripe-js'
import type { Parameters, Request } from '../wire/messages.ts'
import type { Context } from './context.ts'
import { IntegrationError } from './integration-error.ts'
import type { MethodData } from './payment-methods.ts'
import { isPaymentIntent, isSetupIntent, type Outcome, outcomeOf } from './replies.ts'

/** What differs between setting a card up and paying with it. */
export interface IntentKind<Intent> {
  path: 'setup_intents' | 'payment_intents'
  noun: 'SetupIntent' | 'PaymentIntent'
  /** Query parameter prefix of return addresses. */
  name: 'setup_intent' | 'payment_intent'
  secret: RegExp
  is(value: unknown): value is Intent
  /** Why the last attempt failed, with the intent. */
  failure(intent: Intent): StripeError | undefined
}

type AnyIntent = SetupIntent | PaymentIntent

export const setups: IntentKind<SetupIntent> = {
  path: 'setup_intents',
  noun: 'SetupIntent',
  name: 'setup_intent',
  secret: /^(seti_\w+?)_secret_\w+$/,
  is: isSetupIntent,
  failure: (intent) =>
    intent.status === 'requires_payment_method' && intent.last_setup_error
      ? { ...intent.last_setup_error, setup_intent: intent }
      : undefined,
}

export const payments: IntentKind<PaymentIntent> = {
  path: 'payment_intents',
  noun: 'PaymentIntent',
  name: 'payment_intent',
  secret: /^(pi_\w+?)_secret_\w+$/,
  is: isPaymentIntent,
  failure: (intent) =>
    intent.status === 'requires_payment_method' && intent.last_payment_error
      ? { ...intent.last_payment_error, payment_intent: intent }
      : undefined,
}

/** The id in a client secret. @throws IntegrationError if it is not a client secret of this kind */
function idOfSecret<Intent>(kind: IntentKind<Intent>, secret: unknown, method: string): string {
  const [, id] = (typeof secret === 'string' && kind.secret.exec(secret)) || []
  if (id) return id
  const said = secret === undefined ? 'Missing' : 'Invalid'
  const specified = typeof secret === 'string' ? ` You specified: ${secret}.` : ''
  throw new IntegrationError(
    `${said} value for ${method} intent secret: value should be a client secret of the form \${id}_secret_\${secret}.${specified}`,
  )
}

interface Call {
  context: Context
  secret: unknown
  /** As the merchant calls it: `stripe.confirmCardSetup`. */
  method: string
}

/** Retrieves an intent. @throws IntegrationError for an invalid client secret */
export async function retrieve<Intent extends AnyIntent>(
  kind: IntentKind<Intent>,
  { context, secret, method }: Call,
): Promise<Outcome<Intent>> {
  const path = `/v1/${kind.path}/${idOfSecret(kind, secret, method)}`
  const parameters = { client_secret: String(secret) }
  return outcomeOf(await context.controller.request({ method: 'GET', path, parameters }), kind.is)
}

interface Confirmation extends Call {
  parameters: Parameters
  data?: MethodData | undefined
}

/** Confirms an intent, which may require authentication. @throws IntegrationError for an invalid client secret */
export async function confirm<Intent extends AnyIntent>(
  kind: IntentKind<Intent>,
  { context, secret, method, parameters, data }: Confirmation,
): Promise<Outcome<Intent>> {
  const request: Request = {
    method: 'POST',
    path: `/v1/${kind.path}/${idOfSecret(kind, secret, method)}/confirm`,
    parameters: {
      ...parameters,
      ...(data && { payment_method_data: data.parameters }),
      use_stripe_sdk: true,
      client_secret: String(secret),
    },
    ...(data && { card: { frames: data.frames, at: 'payment_method_data' } }),
  }
  return outcomeOf(await context.controller.request(request), kind.is)
}
