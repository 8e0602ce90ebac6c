import { z } from 'zod'
import { text } from './fields.rules.ts'
import { invalidRequest } from './refusal.ts'

interface Patch {
  op: string
  path?: string | undefined
  value?: unknown
}

interface Patchable {
  path: string
  operations: readonly ('add' | 'replace' | 'remove')[]
  /** Of the value; ignored for `remove`. */
  schema: z.ZodType
}

/**
 * The wanted values by path; `null` for what is removed.
 * @throws Refusal for a path or an operation that PayPal does not allow, or the same path twice
 */
export function readPatches(given: readonly Patch[], allowed: readonly Patchable[]): Map<string, unknown> {
  const wanted = new Map<string, unknown>()
  given.forEach(({ op, path, value }, place) => {
    const field = `/${place}/path`
    const found = allowed.find((one) => one.path === path)
    if (!found || path === undefined) {
      throw refusedPatch('INVALID_PATCH_PATH', 'The field cannot be patched.', field)
    }
    if (wanted.has(path)) throw refusedPatch('INVALID_PATCH_PATH', 'A field can be patched only once.', field)
    const operation = found.operations.find((one) => one === op)
    if (!operation) {
      throw refusedPatch(
        'UNSUPPORTED_PATCH_OPERATION',
        'The operation is not supported for this field.',
        `/${place}/op`,
      )
    }
    wanted.set(path, operation === 'remove' ? null : patchedValue(found.schema, value, place))
  })
  return wanted
}

function patchedValue(schema: z.ZodType, value: unknown, place: number): unknown {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  const issue = value === undefined ? 'MISSING_REQUIRED_PARAMETER' : 'INVALID_PARAMETER_VALUE'
  throw refusedPatch(issue, 'The value of a field is invalid.', `/${place}/value`)
}

function refusedPatch(issue: string, description: string, field: string) {
  return invalidRequest([{ issue, description, field, location: 'body' }])
}

/** The text of a patch, or `null` if it is removed; the old one if it is not patched. */
export function patchedText(patches: Map<string, unknown>, path: string, before: string | null): string | null {
  if (!patches.has(path)) return before
  return z.nullable(text(4000)).catch(null).parse(patches.get(path))
}
