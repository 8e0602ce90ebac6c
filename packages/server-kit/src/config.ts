import { z } from 'zod'

/** A setting that is missing or wrong, named; printed as one sentence a line before exit 1. */
export class ConfigError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.join('\n'))
    this.name = 'ConfigError'
  }
}

/** Reads all settings of a program once. Empty strings count as not set. */
export function readConfig<Schema extends z.ZodObject>(schema: Schema, env: NodeJS.ProcessEnv): z.output<Schema> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = env[name]?.trim()
      return value ? [[name, value]] : []
    }),
  )
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data

  throw new ConfigError(
    parsed.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? '')
      const reason = given[name] === undefined ? 'is not set, but is needed' : `is not valid: ${issue.message}`
      return `The setting ${name} ${reason}. See .env.example.`
    }),
  )
}

/** An http(s) address without a trailing slash. */
export const Address = z
  .url({ protocol: /^https?$/, message: 'must be an http or https address' })
  .transform((url) => url.replace(/\/+$/, ''))

export const Port = z.coerce.number('must be a port number').int().min(1, 'must be 1 to 65535').max(65_535)

/** Comma-separated. */
export const List = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
)

export const DatabaseUrl = z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgres:// address')
