import { z } from 'zod'
import { isList } from './form.rules.ts'
import { invalidRequest } from './refusal.ts'

/** The message for a refused value; `{param}` and `{value}` are filled in where the name is known. */
interface Fault {
  code?: string
  sentence: string
}

/** Refuses a value with the message of the fault. */
export function fault<Value>(context: z.core.$RefinementCtx<Value>, { code, sentence }: Fault): never {
  context.issues.push({ code: 'custom', input: context.value, message: sentence, params: { code } })
  return z.NEVER
}

const isEmpty: Fault = {
  code: 'parameter_invalid_empty',
  sentence:
    "You passed an empty string for '{param}'. An empty value unsets a parameter, but '{param}' cannot be unset.",
}

/** Text that is not empty. @param most characters */
export function text(most = 5000) {
  return z.string().transform((value, context) => {
    if (value === '') return fault(context, isEmpty)
    if (value.includes('\0') || !value.isWellFormed()) {
      return fault(context, { code: 'invalid_characters', sentence: 'Invalid characters in {param}.' })
    }
    return value.length > most
      ? fault(context, { sentence: `Invalid string: {value}; must be at most ${most} characters` })
      : value
  })
}

/** An id that the caller chooses. */
export function objectId() {
  return text(200).transform((value, context) =>
    /^[\w-]+$/.test(value)
      ? value
      : fault(context, { sentence: 'Invalid {param}: only letters, digits, underscores and dashes are allowed' }),
  )
}

/** A moment, in epoch seconds. */
export function moment() {
  return integer({ most: 9_999_999_999 })
}

/** A web address; http is allowed on this machine only. */
export function webAddress() {
  return text(2048).transform((value, context) =>
    /^https?:$/.test(URL.parse(value)?.protocol ?? '')
      ? value
      : fault(context, { code: 'url_invalid', sentence: 'Not a valid URL' }),
  )
}

/** An integer. An invalid one is refused as the provider refuses amounts and limits. */
export function integer({ least = 0, most = Number.MAX_SAFE_INTEGER } = {}) {
  return z.string().transform((value, context) => {
    if (value === '') return fault(context, isEmpty)
    if (!/^-?\d{1,15}$/.test(value)) {
      return fault(context, { code: 'parameter_invalid_integer', sentence: 'Invalid integer: {value}' })
    }
    const number = Number(value)
    if (number < least) {
      const code = 'parameter_invalid_integer'
      return fault(context, { code, sentence: `This value must be greater than or equal to ${least}.` })
    }
    return number > most
      ? fault(context, {
          code: 'parameter_invalid_integer',
          sentence: `This value must be less than or equal to ${most}.`,
        })
      : number
  })
}

export function boolean() {
  return z.string().transform((value, context) => {
    if (value === 'true') return true
    return value === 'false' ? false : fault(context, { sentence: 'Invalid boolean: {value}' })
  })
}

/** One of a list of words. */
export function oneOf<const Options extends readonly [string, ...string[]]>(options: Options) {
  return z.string().transform((value, context): Options[number] => {
    const found = options.find((option) => option === value)
    const words = new Intl.ListFormat('en', { type: 'disjunction' }).format(options)
    return found ?? fault(context, { sentence: `Invalid {param}: must be one of ${words}` })
  })
}

/** Can be unset with an empty text, which becomes null. */
export function unsettable<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? null : value), schema.nullable())
}

/** `name[0]`, `name[1]` … in the order of their numbers. */
export function list<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => {
    const isNumbered = typeof value === 'object' && value !== null && !Array.isArray(value)
    const object = isNumbered ? Object.fromEntries(Object.entries(value)) : {}
    return isNumbered && isList(object) ? Object.values(object) : value
  }, z.array(schema))
}

const mostKeys = 50

/** Metadata. An empty value removes its key; an empty parameter removes all keys. */
export const metadata = unsettable(
  z.record(
    z.string().refine((key) => key.length <= 40 && isWhole(key), {
      message: 'Metadata keys are limited to 40 characters',
    }),
    z.string().refine((value) => value.length <= 500 && isWhole(value), {
      message: 'Metadata values are limited to 500 characters',
    }),
  ),
)

function isWhole(value: string): boolean {
  return !value.includes('\0') && value.isWellFormed()
}

type Metadata = Record<string, string>

/** Merges metadata. @throws Refusal for too many keys */
export function mergedMetadata(before: Metadata, given: Metadata | null | undefined): Metadata {
  if (given === undefined) return before
  if (given === null) return {}
  const merged = Object.entries({ ...before, ...given }).filter(([, value]) => value !== '')
  if (merged.length > mostKeys) {
    throw invalidRequest(`You can have up to ${mostKeys} metadata keys.`, { param: 'metadata' })
  }
  return Object.fromEntries(merged)
}

/** What a request says, without the parameters that it leaves out. */
export function present<Given extends object>(
  given: Given,
): { [Name in keyof Given]?: Exclude<Given[Name], undefined> } {
  const named = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.assign({}, ...named.map(([name, value]) => ({ [name]: value })))
}

/** A percentage with up to two decimals. */
export function percent() {
  return z.string().transform((value, context) => {
    const number = /^\d{1,3}(\.\d{1,2})?$/.test(value) ? Number(value) : Number.NaN
    return number > 0 && number <= 100
      ? number
      : fault(context, { sentence: 'Invalid {param}: must be greater than 0 and at most 100' })
  })
}

/** A time filter of lists: one second, or a range. */
export const createdRange = z.union([
  integer(),
  z.strictObject({
    gt: integer().optional(),
    gte: integer().optional(),
    lt: integer().optional(),
    lte: integer().optional(),
  }),
])

/** Parameters of every list. */
export const paging = {
  limit: integer({ least: 1, most: 100 }).default(10),
  starting_after: text().optional(),
  ending_before: text().optional(),
}

const addressLine = unsettable(text()).default(null)

/** A postal address; lines that are not given are null. */
export const address = z.strictObject({
  city: addressLine,
  country: addressLine,
  line1: addressLine,
  line2: addressLine,
  postal_code: addressLine,
  state: addressLine,
})
