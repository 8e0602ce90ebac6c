import type { Endpoint } from '@atrium/contract/endpoint.ts'
import type { FieldProblem, ProblemDocument } from '@atrium/contract/problem.ts'

interface Details {
  /** A sentence of the card provider. */
  detail?: string
  status?: number
  errors?: readonly FieldProblem[]
  requestId?: string
  /** Seconds after which a retry makes sense. */
  retryAfter?: number
  /** The endpoint that was called. */
  endpoint?: Endpoint | undefined
  /** As the endpoint declares for the code. */
  data?: unknown
}

/** A failed call. The page switches on `code`, never on text. */
export class CallProblem extends Error {
  readonly code: string
  /** HTTP status; 0 if there was no answer. */
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

  /** Whether certainly nothing was done. After a key mismatch, an earlier request may have done something. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'idempotency_mismatch'
  }

  /** Whether a retry would be refused too: the object is gone, or in a state that forbids it and that the problem carries. */
  get isFinal(): boolean {
    return this.status === 404 || (this.status === 409 && this.data !== undefined)
  }
}

/**
 * The problem of a problem document, and of its `Retry-After` header.
 * @param endpoint that parsed the document's data
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
