import type { useContractForm } from '@atrium/ui/use-contract-form.ts'

type Values<Field extends string> = Readonly<Record<Field, string>>

type Schema<Field extends string> = Parameters<typeof useContractForm<Values<Field>, Values<Field>>>[0]['schema']

/** Names what is wrong with a field by the contract's code. */
type Check<Field extends string> = (value: string, values: Values<Field>) => string | undefined

/**
 * The checks of a form that need no server, as a standard schema. The contract's own schemas stay at the server, and with
 * them the library that reads them: it would be a sixth of the sign-in page. What the server refuses has the same codes.
 */
export function fieldSchema<Field extends string>(checks: Readonly<Record<Field, Check<Field>>>): Schema<Field> {
  function validate(typed: unknown) {
    // Of the form that this schema is given to.
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
