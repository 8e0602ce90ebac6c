import type { FieldProblem, ProblemDocument } from '@atrium/contract/problem.ts'

interface Details {
  /** A sentence of the card provider’s. */
  detail?: string
  status?: number
  errors?: readonly FieldProblem[]
  requestId?: string
  /** Seconds after which asking again makes sense. */
  retryAfter?: number
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

  constructor(code: string, { status = 0, errors = [], requestId, retryAfter, detail }: Details = {}) {
    super(code)
    this.name = 'CallProblem'
    this.code = code
    this.status = status
    this.errors = errors
    this.requestId = requestId
    this.retryAfter = retryAfter
    this.detail = detail
  }

  /** Nothing was done, for certain. That a key came with other content says that something may have been, before. */
  get isRefusal(): boolean {
    return this.status >= 400 && this.status < 500 && this.code !== 'idempotency_mismatch'
  }
}

/** What a server said in its problem document, with the `Retry-After` header where it has one. */
export function problemOf(document: ProblemDocument, retryAfter: string | null): CallProblem {
  const seconds = Number(retryAfter ?? Number.NaN)
  return new CallProblem(document.code, {
    status: document.status,
    requestId: document.requestId,
    ...(document.errors && { errors: document.errors }),
    ...(document.detail && { detail: document.detail }),
    ...(Number.isFinite(seconds) && { retryAfter: seconds }),
  })
}
