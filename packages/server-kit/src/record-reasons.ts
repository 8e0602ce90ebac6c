import leven from 'leven'
import { z } from 'zod'

type Issue = z.core.$ZodRawIssue

/** Why a value is refused, unless its schema says so. Follows the field's name in a sentence. */
export function reasonFor(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is missing' : `must be ${wantedBy(issue) ?? kindOf(issue)}`
    case 'too_small':
      return Number(issue.minimum) === 1 && issue.origin in units
        ? 'must not be empty'
        : `must ${measure(issue.origin)} at least ${issue.minimum}${units[issue.origin] ?? ''}`
    case 'too_big':
      return `must ${measure(issue.origin)} at most ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'invalid_format':
      return `must be ${wantedBy(issue) ?? formats[issue.format] ?? 'in another form'}`
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'invalid_union':
      return unionReason(issue)
    case 'unrecognized_keys':
      return unknownName(issue.keys[0] ?? '', issue.inst)
    default:
      return 'is not valid'
  }
}

/** What the field's own schema asks for: the unit, and an example. */
function wantedBy({ inst }: Issue): string | undefined {
  const { wanted } = (inst instanceof z.ZodType && inst.meta()) || {}
  return typeof wanted === 'string' ? wanted : undefined
}

function kindOf({ expected, inst }: Extract<Issue, { code: 'invalid_type' }>): string {
  return inst instanceof z.ZodNumberFormat ? 'a whole number' : (kinds[expected] ?? expected)
}

const kinds: Readonly<Partial<Record<string, string>>> = {
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}

const units: Readonly<Partial<Record<string, string>>> = { string: ' characters', array: ' entries' }

const formats: Readonly<Partial<Record<string, string>>> = { email: 'an e-mail address', url: 'an https address' }

const measure = (origin: string) => (origin in units ? 'have' : 'be')

/** The reason of the member whose form is documented, or all allowed values. */
function unionReason(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const issues = issue.errors.flat()
  const explained = issues.find(({ code }) => code !== 'invalid_value')
  return (
    explained?.message ??
    oneOf(
      issues.flatMap((one) => ('values' in one ? one.values : [])),
      issue.input,
    )
  )
}

function oneOf(values: readonly unknown[], input: unknown): string {
  if (input === undefined) return 'is missing'
  const known = values.map((value) => (value === '' ? 'empty' : String(value)))
  const isQuoted = typeof input === 'string' && values.every((value) => typeof value === 'number')
  if (isQuoted) return `must be a number without quotes, one of ${known.join(', ')}`
  return `must be ${known.length > 1 ? 'one of ' : ''}${known.join(', ')}${suggestion(input, known)}`
}

/** The probable intention: a similar name, or one that differs only in case. */
export function suggestion(written: unknown, known: readonly string[]): string {
  if (typeof written !== 'string') return ''
  const distance = (name: string) => leven(written.toLowerCase(), name.toLowerCase())
  const [nearest] = known.toSorted((one, other) => distance(one) - distance(other))
  const isNear = nearest !== undefined && distance(nearest) <= Math.max(1, Math.floor(written.length / 3))
  return isNear ? `; did you mean ${nearest}?` : ''
}

function unknownName(written: string, schema: unknown): string {
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum) {
    return `is not one of ${schema.keyType.options.join(', ')}${suggestion(written, schema.keyType.options.map(String))}`
  }
  const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  return `is not a known field${suggestion(written, fields)}`
}
