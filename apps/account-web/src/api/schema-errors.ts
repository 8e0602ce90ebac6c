import type { z } from 'zod'

/** Codes by field of what a schema refuses; the first of each field. The contract's schemas name their own codes. */
export function schemaErrors(schema: z.ZodType, values: unknown): Record<string, string> {
  const parsed = schema.safeParse(values)
  if (parsed.success) return {}
  const errors: Record<string, string> = {}
  for (const { path, message } of parsed.error.issues) errors[path.join('.')] ??= message
  return errors
}
