import { CallProblem } from './call-problem.ts'

/**
 * Error codes by field name for a refused call: `body.firstName` is the field `firstName`. A problem without a field is
 * assigned to the one that `problemFields` names for its code. Empty if the failure is not about a field.
 */
export function fieldErrors(
  problem: unknown,
  problemFields: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  if (!(problem instanceof CallProblem)) return {}
  const field = problemFields[problem.code]
  if (field !== undefined) return { [field]: problem.code }
  return Object.fromEntries(
    problem.errors.flatMap(({ path, code }) => (path.startsWith('body.') ? [[path.slice('body.'.length), code]] : [])),
  )
}
