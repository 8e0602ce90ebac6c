import { CallProblem } from './call-problem.ts'

/**
 * Codes of refused fields by field name, of a call that answered 422: `body.firstName` is the field `firstName`.
 * Empty when the failure is about no field.
 */
export function fieldErrors(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof CallProblem)) return {}
  return Object.fromEntries(
    error.errors.flatMap(({ path, code }) => (path.startsWith('body.') ? [[path.slice('body.'.length), code]] : [])),
  )
}
