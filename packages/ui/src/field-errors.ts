import { CallProblem } from './call-problem.ts'

/**
 * Codes of refused fields by field name, of a call that was refused: `body.firstName` is the field `firstName`. A problem that
 * names no field is about the one that `problemFields` gives for its code. Empty when the failure is about no field.
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
