/** Why a provider did not do what was requested, as far as known. */
export type ProviderFailureKind =
  /** The payment method was refused: nothing was done. */
  | 'refused'
  /** The bank requires the cardholder's authentication. */
  | 'action_required'
  /** The request is invalid for the provider: nothing was done. */
  | 'invalid'
  /** The named object does not exist. */
  | 'missing'
  /** The request was not accepted: rate limit, or invalid credentials. Nothing was done. */
  | 'unavailable'
  /** No answer, or one that is not understood: it may have been done. */
  | 'unknown'

/** Why the provider says that a payment method was declined; empty: it does not say. */
export interface Decline {
  /** The provider's sentence, in English. */
  sentence: string
  /** The provider's code: `insufficient_funds`, `lost_card`, `expired_card` … */
  declineCode: string
}

export const noDecline: Decline = { sentence: '', declineCode: '' }

/** Our code for a refusal that has none of the provider's: the customer is billed in another currency, and can be in one only. */
export const otherCurrency = 'other_currency'

interface Facts extends Partial<Decline> {
  /** The provider's code: `card_declined`, `resource_missing` …, or `otherCurrency` */
  code?: string
  /** The provider has stored this error under the call's idempotency key, and repeats it for the same key. */
  isStored?: boolean
}

/** A failed call to a payment provider. */
export class ProviderFailure extends Error implements Decline {
  readonly kind: ProviderFailureKind
  readonly sentence: string
  readonly declineCode: string
  readonly code: string
  readonly isStored: boolean

  constructor(kind: ProviderFailureKind, cause: Error, { code = '', isStored = false, ...decline }: Facts = {}) {
    super(cause.message, { cause })
    this.name = 'ProviderFailure'
    this.kind = kind
    this.sentence = decline.sentence ?? ''
    this.declineCode = decline.declineCode ?? ''
    this.code = code
    this.isStored = isStored
  }
}

/** The provider's answer; undefined if it does not know the object (the vendor deleted it there, or changed accounts). */
export async function ifKnown<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ProviderFailure && error.kind === 'missing') return undefined
    throw error
  }
}
