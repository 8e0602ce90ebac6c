import { eq, gt, gte, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { boolean, createdRange, text } from '../wire/parameters.rules.ts'
import { cardObjects } from './cards.tables.ts'

/** A parameter that narrows a list. Read, it is the condition. */
export type Filter = z.ZodType<SQL | undefined>

/** The moment at which an object was created, or a range. */
export const byCreated = createdRange.transform(withinRange).optional()

/** An id or a word that has a column of its own. */
export function byColumn(column: PgColumn) {
  return text()
    .transform((value) => eq(column, value))
    .optional()
}

export const byCustomer = byColumn(cardObjects.customer)
export const byIntent = byColumn(cardObjects.intent)

export const byActive = boolean()
  .transform((isActive) => isField('active', String(isActive)))
  .optional()

/** Whether a field of the public object, which has no column of its own, has a value. */
export function isField(name: string, value: string): SQL {
  return sql`${cardObjects.stored} -> 'object' ->> ${name} = ${value}`
}

function withinRange(range: z.output<typeof createdRange>): SQL {
  const column = cardObjects.created
  if (typeof range === 'number') return eq(column, range)
  const bounds = [
    range.gt === undefined ? undefined : gt(column, range.gt),
    range.gte === undefined ? undefined : gte(column, range.gte),
    range.lt === undefined ? undefined : lt(column, range.lt),
    range.lte === undefined ? undefined : lte(column, range.lte),
  ]
  return sql.join([sql`true`, ...bounds.flatMap((bound) => bound ?? [])], sql` and `)
}
