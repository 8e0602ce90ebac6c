import type { DataProblemCode, Endpoint, ProblemAnswer } from '@atrium/contract/endpoint.ts'
import type { FieldProblem } from '@atrium/contract/problem.ts'

interface Details {
  detail?: string
  errors?: readonly FieldProblem[]
  /** Seconds, for the `Retry-After` header. */
  retryAfter?: number
  /** Of another system, where that failed: logged, never sent. */
  cause?: unknown
  /** What the endpoint declares for the code: `problemWithData` types it. */
  data?: unknown
}

/** Something expected to fail, by a code that the endpoint declares (or one of the common problems). */
export class Problem extends Error {
  readonly code: string
  readonly details: Details

  constructor(code: string, details: Details = {}) {
    super(details.detail ?? code, { cause: details.cause })
    this.name = 'Problem'
    this.code = code
    this.details = details
  }
}

/** A problem that carries what the endpoint declares for its code. */
export function problemWithData<Definition extends Endpoint, Code extends DataProblemCode<Definition>>(
  _endpoint: Definition,
  code: Code,
  data: ProblemAnswer<Definition, NoInfer<Code>>,
): Problem {
  return new Problem(code, { data })
}

/** A field of the body that its schema lets through and a rule refuses. @param code a key of the `problems` texts */
export function refusedField(field: string, code: string): Problem {
  return new Problem('invalid', { errors: [{ path: `body.${field}`, code, message: code }] })
}
