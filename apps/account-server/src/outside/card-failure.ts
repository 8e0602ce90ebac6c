import Stripe from 'stripe'

/** Why the card provider did not do what it was asked, as far as anybody can know. */
export type CardFailureKind =
  /** The card was refused: nothing was kept. */
  | 'refused'
  /** What was asked makes no sense to the provider: nothing was done. */
  | 'invalid'
  /** What was named is not there. */
  | 'missing'
  /** The intent has ended already. */
  | 'ended'
  /** Not taken at all: too many requests, or our key. Nothing was done. */
  | 'not_taken'
  /** No answer, or one that nobody understands: it may have been done. */
  | 'unknown'

/** A call of the card provider that failed. */
export class CardFailure extends Error {
  readonly kind: CardFailureKind
  /** What the customer is told (000 §8); empty: the page has its own words. */
  readonly sentence: string
  /** The provider’s own code: `card_declined`, `resource_missing` … */
  readonly code: string
  /** The provider keeps this answer, a fault of its own, under the call’s idempotency key: asked again, it says the same. */
  readonly isKept: boolean
  /** The intent that says the same, where there is one. */
  readonly setup: Stripe.SetupIntent | undefined

  constructor(kind: CardFailureKind, error: Error) {
    super(error.message, { cause: error })
    this.name = 'CardFailure'
    this.kind = kind
    this.code = codeOf(error)
    this.sentence = sentenceOf(this.code, error.message)
    this.isKept = error instanceof Stripe.errors.StripeAPIError && error.rawType === 'api_error'
    this.setup = error instanceof Stripe.errors.StripeError ? error.setup_intent : undefined
  }
}

/** Runs a call of the provider’s SDK; what it throws becomes a `CardFailure`, and what is no error of it stays a bug. */
export async function asked<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error
    throw new CardFailure(kindOf(error), error)
  }
}

function kindOf(error: Stripe.errors.StripeError): CardFailureKind {
  const { errors } = Stripe
  if (error instanceof errors.StripeCardError) return 'refused'
  if (error instanceof errors.StripeRateLimitError) return 'not_taken'
  if (error instanceof errors.StripeAuthenticationError || error instanceof errors.StripePermissionError) {
    return 'not_taken'
  }
  if (!(error instanceof errors.StripeInvalidRequestError)) return 'unknown'
  if (error.code === 'resource_missing') return 'missing'
  return error.code === 'setup_intent_unexpected_state' ? 'ended' : 'invalid'
}

function codeOf(error: Error): string {
  return error instanceof Stripe.errors.StripeError ? (error.code ?? error.type) : ''
}

/** The provider’s own. Of a declined card the page says no more than that, so that nobody tests cards by the reason. */
export function sentenceOf(code: string | undefined, message = ''): string {
  return code === 'card_declined' ? '' : message
}
