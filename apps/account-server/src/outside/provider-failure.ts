/** Why a provider did not do what it was asked, as far as anybody can know. */
export type ProviderFailureKind =
  /** The payment method was refused: nothing was done. */
  | 'refused'
  /** The cardholder's bank asks first. */
  | 'action_required'
  /** What was asked makes no sense to the provider: nothing was done. */
  | 'invalid'
  /** What was named is not there. */
  | 'missing'
  /** Not taken at all: too many requests, or our credentials. Nothing was done. */
  | 'unavailable'
  /** No answer, or one that nobody understands: it may have been done. */
  | 'unknown'

interface Facts {
  /** What the customer is told (000 §8); empty: the page has its own words. */
  sentence?: string
  /** The provider's own code: `card_declined`, `resource_missing` … */
  code?: string
  /** The provider stores this answer, an error of its own, under the call's idempotency key: asked again, it says the same. */
  isStored?: boolean
}

/** A call of a payment provider that failed, whichever provider it is. */
export class ProviderFailure extends Error {
  readonly kind: ProviderFailureKind
  readonly sentence: string
  readonly code: string
  readonly isStored: boolean

  constructor(kind: ProviderFailureKind, cause: Error, { sentence = '', code = '', isStored = false }: Facts = {}) {
    super(cause.message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.sentence = sentence
    this.code = code
    this.isStored = isStored
  }
}

/** What a provider has; nothing where it does not know of it (the vendor deleted it there, or changed accounts). */
export async function ifKnown<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'missing') return undefined
    throw error
  }
}
