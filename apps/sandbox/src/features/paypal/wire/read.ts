import type { z } from 'zod'
import { type Detail, invalidRequest, unprocessable } from './refusal.ts'

type Location = 'body' | 'query'

/**
 * A request's body or query, checked and typed.
 * @throws Refusal with the issue of every field: 400, or 422 if all are well-formed
 */
export function read<Schema extends z.ZodType>(schema: Schema, given: unknown, location: Location): z.output<Schema> {
  if (given === undefined && !schema.safeParse(undefined).success) {
    throw invalidRequest([{ issue: 'MISSING_REQUEST_BODY', description: 'The request body is missing.', location }])
  }
  const result = schema.safeParse(given, { reportInput: true })
  if (result.success) return result.data

  const found = result.error.issues.flatMap(flattened)
  const malformed = found.filter((issue) => statusOf(issue) === 400)
  const details = (malformed.length > 0 ? malformed : found).map((issue) => detailOf(issue, location))
  throw malformed.length > 0 ? invalidRequest(details) : unprocessable(details)
}

/** Of several alternatives, the one that matched furthest says what is wrong. */
function flattened(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const best = issue.errors.toSorted((one, other) => (other[0]?.path.length ?? 0) - (one[0]?.path.length ?? 0))[0]
  return (best ?? []).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

function statusOf(issue: z.core.$ZodIssue): number {
  return issue.code === 'custom' && issue.params?.status === 422 ? 422 : 400
}

function detailOf(issue: z.core.$ZodIssue, location: Location): Detail {
  const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  const field = location === 'body' ? `/${path.map(String).join('/')}` : path.map(String).join('.')
  const { input } = issue
  return {
    field,
    ...(typeof input === 'string' && { value: input.slice(0, 200) }),
    location,
    ...wordsOf(issue),
  }
}

/** The issue and what it means. Only the issue is part of the protocol. */
function wordsOf(issue: z.core.$ZodIssue): Pick<Detail, 'issue' | 'description'> {
  if (issue.code === 'custom') return { issue: String(issue.params?.issue), description: issue.message }
  if (issue.code === 'unrecognized_keys') {
    return { issue: 'INVALID_PARAMETER', description: 'The field is unknown, or not supported by the sandbox.' }
  }
  if (issue.input === undefined) {
    return { issue: 'MISSING_REQUIRED_PARAMETER', description: 'A required field is missing.' }
  }
  if (issue.code === 'too_big' || issue.code === 'too_small') return boundOf(issue)
  if (issue.code === 'invalid_value') {
    return { issue: 'INVALID_PARAMETER_VALUE', description: 'The value of a field is invalid.' }
  }
  return { issue: 'INVALID_PARAMETER_SYNTAX', description: 'The value of a field does not have the expected format.' }
}

function boundOf({ code, origin }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall) {
  const isMost = code === 'too_big'
  const end = isMost ? 'MAX' : 'MIN'
  if (origin === 'string') {
    return { issue: `INVALID_STRING_${end}_LENGTH`, description: `The value is too ${isMost ? 'long' : 'short'}.` }
  }
  if (origin === 'array') {
    return { issue: `INVALID_ARRAY_${end}_ITEMS`, description: `The list has too ${isMost ? 'many' : 'few'} items.` }
  }
  return { issue: `INVALID_INTEGER_${end}_VALUE`, description: `The number is too ${isMost ? 'large' : 'small'}.` }
}
