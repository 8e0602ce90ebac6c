import type { useContractForm } from '@atrium/ui/use-contract-form.ts'

type Values<Field extends string> = Readonly<Record<Field, string>>

type Schema<Field extends string> = Parameters<typeof useContractForm<Values<Field>, Values<Field>>>[0]['schema']

/** Returns the contract's code for the fault of a field. */
type Check<Field extends string> = (value: string, values: Values<Field>) => string | undefined

/**
 * The checks of a form that need no server, as a standard schema. The contract's schemas are used on the server only,
 * because zod would be a sixth of the sign-in page. The server's refusals have the same codes.
 */
export function fieldSchema<Field extends string>(checks: Readonly<Record<Field, Check<Field>>>): Schema<Field> {
  function validate(typed: unknown) {
    // The form that uses this schema has these fields.
    const values = typed as Values<Field>
    const issues = []
    for (const field in checks) {
      const message = checks[field](values[field], values)
      if (message !== undefined) issues.push({ message, path: [field] })
    }
    return issues.length > 0 ? { issues } : { value: values }
  }
  return { '~standard': { version: 1, vendor: 'atrium', validate } }
}
