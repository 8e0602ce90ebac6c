import Stripe from 'stripe'
import { ProviderFailure, type ProviderFailureKind } from '../provider-failure.ts'

/** Awaits a call of the provider's SDK and turns its errors into a `ProviderFailure`; any other error is a bug. */
export async function callProvider<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    throw failureOf(error)
  }
}

export function failureOf(error: Stripe.errors.StripeError): ProviderFailure {
  const code = error.code ?? error.type
  return new ProviderFailure(kindOf(error), error, {
    code,
    sentence: sentenceOf(code, error.message),
    isStored: error instanceof Stripe.errors.StripeAPIError && error.rawType === 'api_error',
  })
}

function kindOf(error: Stripe.errors.StripeError): ProviderFailureKind {
  const { errors } = Stripe
  if (error instanceof errors.StripeCardError) {
    return error.code === 'authentication_required' ? 'action_required' : 'refused'
  }
  if (error instanceof errors.StripeRateLimitError) return 'unavailable'
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return 'unavailable'
  }
  if (!(error instanceof errors.StripeInvalidRequestError)) return 'unknown'
  return error.code === 'resource_missing' ? 'missing' : 'invalid'
}

/** The provider's sentence. For a declined card without the reason, which would help card testing. */
export function sentenceOf(code: string | undefined, message = ''): string {
  return code === 'card_declined' ? '' : message
}
