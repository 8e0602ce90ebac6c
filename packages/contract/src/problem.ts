import { z } from 'zod'

/** A field that was refused. `path` is dotted (`body.firstName`), `code` is a key of the `problems` texts. */
const FieldProblem = z.object({ path: z.string(), code: z.string(), message: z.string() })

/** RFC 9457 `application/problem+json`. The page switches on `code`, never on text. */
export const ProblemDocument = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string(),
  detail: z.string().optional(),
  requestId: z.string(),
  errors: z.array(FieldProblem).optional(),
  /**
   * Extension member (RFC 9457 §3.2) with which the page can update itself, in the shape that the endpoint declares for the
   * code.
   */
  data: z.unknown().optional(),
})
export type ProblemDocument = z.infer<typeof ProblemDocument>
export type FieldProblem = z.infer<typeof FieldProblem>

/** Problems every endpoint may answer with. */
export const commonProblems = {
  malformed: 400,
  signed_out: 401,
  /** The support session is over: it was ended, its time is up, or the member withdrew their grant. */
  support_ended: 401,
  foreign_origin: 403,
  /** A support agent may only read, and not everything. */
  support_read_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  /** The body did not arrive in time. */
  request_timeout: 408,
  /** The page was loaded for another member than the one who is signed in now (`memberHeader`): it reloads. */
  another_member: 409,
  too_large: 413,
  address_too_long: 414,
  json_only: 415,
  invalid: 422,
  /** The key (`idempotencyHeader`) was used for a different request. */
  idempotency_mismatch: 422,
  too_often: 429,
  headers_too_large: 431,
  internal: 500,
  overloaded: 503,
  /** The database connection was lost before a commit was confirmed. Repeated with its key, the request takes effect once. */
  outcome_unknown: 503,
} as const satisfies Record<string, number>

/** Header with the id of the member that a page was loaded for, so that nothing is written to another account. */
export const memberHeader = 'atrium-member'

/** Header with a key that the page generates for one request: repeated with the same key, it takes effect once. */
export const idempotencyHeader = 'idempotency-key'
