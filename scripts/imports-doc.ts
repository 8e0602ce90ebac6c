import { ImportRecord } from '@atrium/contract/imports.ts'
import { z } from 'zod'

/** The output of `z.toJSONSchema`, with the metadata of our schemas. */
interface JsonSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: JsonSchema[]
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  items?: JsonSchema
  properties?: Record<string, JsonSchema>
  required?: string[]
  default?: unknown
  description?: string
  shape?: string
  shapeMeaning?: string
  naturalKey?: string[]
}

const records = ImportRecord.options.map(
  (option) => z.toJSONSchema(option, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
)

/** The tables of `docs/imports.md`: the shapes of values, then one table per type of record, generated from the schemas. */
export function importTables(): string {
  return [shapesTable(), ...records.map(recordTable)].join('\n\n')
}

function shapesTable(): string {
  const meanings = new Map(
    records
      .flatMap(schemasIn)
      .flatMap(({ shape, shapeMeaning }) => (shape && shapeMeaning ? [[shape, shapeMeaning]] : [])),
  )
  const rows = [...meanings].map(([shape, meaning]) => `| ${shape} | ${meaning} |`)
  return ['| shape | |', '|---|---|', ...rows].join('\n')
}

function recordTable({ properties = {}, required = [], description = '', naturalKey = [] }: JsonSchema): string {
  const { type, ...fields } = properties
  const key = naturalKey.map((name) => `\`${name}\``).join(', ')
  const rows = Object.entries(fields).map(([name, field]) => {
    const presence = required.includes(name) ? 'needed' : absenceOf(field)
    return `| \`${name}\` | ${shapeOf(field)} | ${presence} | ${field.description ?? ''} |`
  })
  return [
    `## \`${String(type?.const)}\``,
    `${description} Natural key: ${key}.`,
    ['| field | shape | | |', '|---|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}

function schemasIn(schema: JsonSchema): JsonSchema[] {
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(schema.anyOf ?? []),
  ]
  return [schema, ...inner.flatMap(schemasIn)]
}

function absenceOf({ default: value }: JsonSchema): string {
  return value === undefined ? 'optional' : `default \`${JSON.stringify(value)}\``
}

function shapeOf(schema: JsonSchema): string {
  if (schema.shape) return schema.shape
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``
  if (schema.enum) return schema.enum.map((value) => `\`${String(value)}\``).join(' ')
  if (schema.anyOf) return schema.anyOf.map(shapeOf).join(' or ')
  if (schema.type === 'array') return `list of ${shapeOf(schema.items ?? {})}`
  if (schema.properties) {
    const inner = Object.entries(schema.properties).map(([name, field]) => `\`${name}\`: ${shapeOf(field)}`)
    return `{ ${inner.join(', ')} }`
  }
  if (schema.type === 'string') return schema.maxLength ? `text of at most ${schema.maxLength} characters` : 'text'
  return schema.type === 'integer' ? `whole number${boundsOf(schema)}` : (schema.type ?? 'value')
}

/** Empty for the bounds of JavaScript's safe integers. */
function boundsOf({ minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: JsonSchema): string {
  if (minimum <= Number.MIN_SAFE_INTEGER) return ''
  return maximum >= Number.MAX_SAFE_INTEGER ? ` from ${minimum}` : ` from ${minimum} to ${maximum}`
}

if (import.meta.main) process.stdout.write(`${importTables()}\n`)
