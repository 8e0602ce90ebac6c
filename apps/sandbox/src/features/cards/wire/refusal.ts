import type Stripe from 'stripe'

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error'

/** The `error` of a reply, in the provider's format. Absent fields are left out, not null. */
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

/** With the intent of the attempt: complete, or what a browser may see. */
interface RefusalBody extends ErrorBody {
  payment_intent?: object
  setup_intent?: object
}

/**
 * A request that is answered with an error. Thrown, it rolls the request back; returned by an operation, what was done is
 * committed, such as a declined charge.
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

/** An internal error of the provider; the request may have been executed or not. */
export function unknownError(): Refusal {
  return new Refusal(500, { type: 'api_error', message: 'An unknown error occurred.' })
}

/** An invalid request. */
export function invalidRequest(
  message: string,
  more: { code?: string; param?: string; status?: number } = {},
): Refusal {
  const { status = 400, ...rest } = more
  return new Refusal(status, { type: 'invalid_request_error', message, ...rest })
}

export interface Missing {
  param?: string
  /** 404 if the path names it; 400 if a parameter does. */
  status?: number
}

/** @param noun its name in the provider's messages: `customer`, `PaymentMethod` */
export function noSuch(noun: string, id: string, { param = 'id', status = 400 }: Missing = {}): Refusal {
  return invalidRequest(`No such ${noun}: '${id}'`, { code: 'resource_missing', param, status })
}

function docUrl(code: string): string {
  return `https://docs.stripe.com/error-codes/${code.replaceAll('_', '-')}`
}
