import type { z } from 'zod'
import type { Given, GivenObject } from './form.rules.ts'
import { invalidRequest, type Refusal } from './refusal.ts'

/**
 * The parameters of one operation, checked and typed.
 * @throws Refusal in the provider's words: unknown, missing or wrong, with the parameter's name
 */
export function readParameters<Schema extends z.ZodObject>(schema: Schema, given: GivenObject): z.output<Schema> {
  const read = schema.safeParse({ ...given })
  if (read.success) return read.data

  const { issues } = read.error
  // Unknown parameters are reported before invalid ones.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  throw issue ? refusalOf(issue, given) : invalidRequest('Invalid request.')
}

function refusalOf(issue: z.core.$ZodIssue, given: GivenObject): Refusal {
  if (issue.code === 'unrecognized_keys') {
    const param = nameOf([...issue.path, issue.keys[0] ?? ''])
    return invalidRequest(`Received unknown parameter: ${param}`, { code: 'parameter_unknown', param })
  }
  if (issue.code === 'invalid_union') return unionRefusal(issue, given)

  const param = nameOf(issue.path)
  const value = valueAt(given, issue.path)
  if (value === undefined) {
    return invalidRequest(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  }
  if (issue.code === 'invalid_type') {
    const kind = issue.expected === 'record' ? 'object' : issue.expected
    return invalidRequest(`Invalid ${kind}: ${shown(value)}`, { param })
  }
  const code = issue.code === 'custom' ? issue.params?.code : undefined
  const message = issue.message.replaceAll('{param}', param).replaceAll('{value}', shown(value))
  return invalidRequest(message, { param, ...(typeof code === 'string' && { code }) })
}

/** Of several alternatives, the one that matched furthest gives the message. */
function unionRefusal(issue: z.core.$ZodIssueInvalidUnion, given: GivenObject): Refusal {
  const inner = issue.errors.flat().toSorted((one, other) => other.path.length - one.path.length)[0]
  return inner
    ? refusalOf({ ...inner, path: [...issue.path, ...inner.path] }, given)
    : invalidRequest('Invalid value.', { param: nameOf(issue.path) })
}

/** `['card', 'number']` → `card[number]` */
function nameOf(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((step) => `[${step}]`).join('')
}

function valueAt(given: GivenObject, path: readonly PropertyKey[]): Given | undefined {
  let value: Given | undefined = given
  for (const step of path) value = typeof value === 'object' ? value[String(step)] : undefined
  return value
}

function shown(value: Given): string {
  return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 100)
}
