import type { DataProblemCode, Endpoint, ProblemAnswer } from '@atrium/contract/endpoint.ts'
import type { FieldProblem } from '@atrium/contract/problem.ts'

interface Details {
  detail?: string
  errors?: readonly FieldProblem[]
  /** Seconds, for the `Retry-After` header. */
  retryAfter?: number
  /** The error of another system: logged, never sent. */
  cause?: unknown
  /** As the endpoint declares for the code; typed by `problemWithData`. */
  data?: unknown
}

/** An expected failure, with a code that the endpoint declares (or a common one). */
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

/** A problem with the data that its endpoint declares for the code. */
export function problemWithData<Definition extends Endpoint, Code extends DataProblemCode<Definition>>(
  _endpoint: Definition,
  code: Code,
  data: ProblemAnswer<Definition, NoInfer<Code>>,
): Problem {
  return new Problem(code, { data })
}

/** A field of the body that is valid by schema but refused by a rule. @param code a key of the `problems` texts */
export function refusedField(field: string, code: string): Problem {
  return new Problem('invalid', { errors: [{ path: `body.${field}`, code, message: code }] })
}
