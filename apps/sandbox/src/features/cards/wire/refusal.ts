import type Stripe from 'stripe'

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** The `error` of a reply, as the provider writes it. Absent fields are left out, not null. */
export interface ErrorBody {
  type: ErrorType
  message: string
  code?: string
  param?: string
  decline_code?: string
  doc_url?: string
  charge?: string
  payment_method?: Stripe.PaymentMethod
}

/** With the intent that an attempt belongs to: whole, or what a browser may see of it. */
interface RefusalBody extends ErrorBody {
  payment_intent?: object
  setup_intent?: object
}

/**
 * A request that is answered with an error. Thrown, it undoes what the request did; returned by an operation, what was
 * done stays (a declined charge is a fact).
 */
export class Refusal extends Error {
  readonly status: number
  readonly body: RefusalBody

  constructor(status: number, { code, ...body }: RefusalBody) {
    super(body.message)
    this.name = 'Refusal'
    this.status = status
    this.body = { ...(code && { code, doc_url: docUrl(code) }), ...body }
  }
}

/** Something broke at the provider's; what was asked for may be done or not. */
export function unknownError(): Refusal {
  return new Refusal(500, { type: 'api_error', message: 'An unknown error occurred.' })
}

/** A request that is wrong in itself. */
export function invalidRequest(
  message: string,
  more: { code?: string; param?: string; status?: number } = {},
): Refusal {
  const { status = 400, ...rest } = more
  return new Refusal(status, { type: 'invalid_request_error', message, ...rest })
}

export interface Missing {
  param?: string
  /** 404 where it is what the address names; 400 where a parameter does. */
  status?: number
}

/** @param noun as the provider calls it in sentences: `customer`, `PaymentMethod` */
export function noSuch(noun: string, id: string, { param = 'id', status = 400 }: Missing = {}): Refusal {
  return invalidRequest(`No such ${noun}: '${id}'`, { code: 'resource_missing', param, status })
}

function docUrl(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`
}
