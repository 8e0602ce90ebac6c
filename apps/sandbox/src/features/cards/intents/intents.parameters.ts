import { z } from 'zod'
import { createPaymentMethod, type NewMethod, paymentMethod } from '../payment-methods/payment-methods.writes.ts'
import type { Call } from '../requests/call.ts'
import { boolean, list, oneOf, text } from '../wire/parameters.rules.ts'
import { invalidRequest } from '../wire/refusal.ts'

/** The allowed payment method types; there is only one. */
export const methodTypes = list(oneOf(['card']))

export const automaticMethods = z.strictObject({
  enabled: boolean(),
  allow_redirects: oneOf(['always', 'never']).optional(),
})

/**
 * The cardholder closed the bank's question. This call is undocumented; the provider's SDKs make it, and so does ours.
 * `source` is the id of the question.
 */
export const giveUpParameters = { client_secret: text().optional(), source: text() }

/** What a browser may send to confirm an intent; all other parameters take a secret key. */
export const confirmedByBrowsers = [
  'client_secret',
  'mandate_data',
  'payment_method',
  'payment_method_data',
  'return_url',
  'use_stripe_sdk',
] as const

export interface GivenMethod {
  payment_method?: string | undefined
  payment_method_data?: NewMethod | undefined
}

/** The card that a request names or contains. */
export async function givenMethod(call: Call, { payment_method: id, payment_method_data: data }: GivenMethod) {
  if (id !== undefined && data) {
    throw invalidRequest('You may only specify one of these parameters: payment_method, payment_method_data.')
  }
  if (data) return createPaymentMethod(call, data)
  return id === undefined ? undefined : paymentMethod(call, id)
}
