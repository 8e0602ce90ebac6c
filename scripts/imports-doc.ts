import { ImportRecord } from '@atrium/contract/imports.ts'
import { z } from 'zod'

interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  format?: string
  pattern?: string
  maxLength?: number
  minItems?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  default?: unknown
}

/** The tables of `docs/imports.md`, one a type of record, written from the schemas; a test holds the file to them. */
export function importTables(): string {
  return ImportRecord.options
    .map((option) => {
      const schema: JsonSchema = z.toJSONSchema(option, { io: 'input', unrepresentable: 'any' }) as JsonSchema
      const { type, ...fields } = schema.properties ?? {}
      const rows = Object.entries(fields).map(([name, field]) => {
        const presence = schema.required?.includes(name) ? 'needed' : absenceOf(field)
        return `| \`${name}\` | ${shapeOf(field)} | ${presence} |`
      })
      return [`## \`${String(type?.const)}\``, '', '| field | shape | |', '|---|---|---|', ...rows].join('\n')
    })
    .join('\n\n')
}

function absenceOf({ default: value }: JsonSchema): string {
  return value === undefined ? 'optional' : `default \`${JSON.stringify(value)}\``
}

function shapeOf(schema: JsonSchema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ')
  if (schema.anyOf) return schema.anyOf.map(shapeOf).join(' or ')
  if (schema.type === 'array') return `list of ${shapeOf(schema.items ?? {})}`
  if (schema.properties) {
    const inner = Object.entries(schema.properties).map(([name, field]) => `\`${name}\`: ${shapeOf(field)}`)
    return `{ ${inner.join(', ')} }`
  }
  if (schema.type === 'object') return 'names by language code (`en-us` needed)'
  const longest = schema.maxLength && schema.maxLength < 10_000 ? `, at most ${schema.maxLength} characters` : ''
  const pattern = schema.pattern && !schema.format ? ` like \`${schema.pattern.replaceAll('|', '\\|')}\`` : ''
  return `${schema.format ?? schema.type ?? 'value'}${pattern}${longest}`
}
