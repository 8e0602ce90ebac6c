import type { z } from 'zod'
import type { patches } from './fields.rules.ts'
import { invalidRequest } from './refusal.ts'

/** What can be patched of an object, by path: how a value changes it. */
export type Patchable<Changed> = Readonly<Record<string, z.ZodType<Partial<Changed>>>>

/** What patches change. @throws Refusal for a field that cannot be patched, and for an invalid value */
export function patchOf<Changed>(given: z.output<typeof patches>, fields: Patchable<Changed>): Partial<Changed> {
  const changes = given.map(({ path, value }, place) => {
    const schema = Object.hasOwn(fields, path) ? fields[path] : undefined
    if (!schema) throw refusedPatch('INVALID_PATCH_PATH', 'The field cannot be patched.', `/${place}/path`)
    const read = schema.safeParse(value)
    if (read.success) return read.data
    throw refusedPatch('INVALID_PARAMETER_VALUE', 'The value of a field is invalid.', `/${place}/value`)
  })
  return Object.assign({}, ...changes)
}

function refusedPatch(issue: string, description: string, field: string) {
  return invalidRequest([{ issue, description, field, location: 'body' }])
}
