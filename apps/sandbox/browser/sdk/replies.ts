import type { PaymentIntent, PaymentMethod, SetupIntent, StripeError } from '@stripe/stripe-js'
import * as z from 'zod/mini'
import type { Reply } from './controller.ts'

const errorShape = z.looseObject({
  type: z.enum([
    'api_connection_error',
    'api_error',
    'authentication_error',
    'card_error',
    'idempotency_error',
    'invalid_request_error',
    'rate_limit_error',
    'validation_error',
  ]),
  message: z.optional(z.string()),
})
const methodShape = z.looseObject({ id: z.string(), object: z.literal('payment_method'), type: z.string() })
const intent = {
  id: z.string(),
  client_secret: z.string(),
  status: z.enum([
    'canceled',
    'processing',
    'requires_action',
    'requires_capture',
    'requires_confirmation',
    'requires_payment_method',
    'succeeded',
  ]),
  next_action: z.nullable(z.looseObject({ type: z.string() })),
}
const setupShape = z.looseObject({
  ...intent,
  object: z.literal('setup_intent'),
  last_setup_error: z.nullable(errorShape),
})
const paymentShape = z.looseObject({
  ...intent,
  object: z.literal('payment_intent'),
  last_payment_error: z.nullable(errorShape),
})

export const isPaymentMethod = (value: unknown): value is PaymentMethod => methodShape.safeParse(value).success
export const isSetupIntent = (value: unknown): value is SetupIntent => setupShape.safeParse(value).success
export const isPaymentIntent = (value: unknown): value is PaymentIntent => paymentShape.safeParse(value).success
const isStripeError = (value: unknown): value is StripeError => errorShape.safeParse(value).success

export type Outcome<Value> = { value: Value; error?: undefined } | { value?: undefined; error: StripeError }

/** The reply as the expected object or as an error; anything else is a provider error. */
export function outcomeOf<Value>(reply: Reply, isWanted: (value: unknown) => value is Value): Outcome<Value> {
  if (isStripeError(reply.error)) return { error: reply.error }
  if (isWanted(reply)) return { value: reply }
  return { error: { type: 'api_error', message: 'An unexpected error has occurred.' } }
}
