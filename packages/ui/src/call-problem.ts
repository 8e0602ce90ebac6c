import type { Endpoint } from '@atrium/contract/endpoint.ts'
import type { FieldProblem, ProblemDocument } from '@atrium/contract/problem.ts'

interface Details {
  /** A sentence of the card provider’s. */
  detail?: string
  status?: number
  errors?: readonly FieldProblem[]
  requestId?: string
  /** Seconds after which asking again makes sense. */
  retryAfter?: number
  /** Which was called. */
  endpoint?: Endpoint | undefined
  /** What the endpoint declares for the code. */
  data?: unknown
}

/** A call that did not work. The page switches on `code`, never on text. */
export class CallProblem extends Error {
  readonly code: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly errors: readonly FieldProblem[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly detail: string | undefined
  readonly endpoint: Endpoint | undefined
  readonly data: unknown

  constructor(code: string, details: Details = {}) {
    super(code)
    this.name = 'CallProblem'
    this.code = code
    this.status = details.status ?? 0
    this.errors = details.errors ?? []
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.detail = details.detail
    this.endpoint = details.endpoint
    this.data = details.data
  }

  /** Nothing was done, for certain. That a key came with other content says that something may have been, before. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'idempotency_mismatch'
  }
}

/**
 * What a server said in its problem document, with the `Retry-After` header where it has one.
 * @param endpoint by which the document's data was parsed
 */
export function problemOf(document: ProblemDocument, retryAfter: string | null, endpoint?: Endpoint): CallProblem {
  const seconds = Number(retryAfter ?? Number.NaN)
  return new CallProblem(document.code, {
    status: document.status,
    requestId: document.requestId,
    endpoint,
    data: document.data,
    ...(document.errors && { errors: document.errors }),
    ...(document.detail && { detail: document.detail }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  })
}
