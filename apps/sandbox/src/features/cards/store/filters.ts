import { type SQL, sql } from 'drizzle-orm'
import { cardObjects } from './cards.tables.ts'

/** Whether a field of the public object, which has no column of its own, has a value. */
export function isField(name: string, value: string): SQL {
  return sql`${cardObjects.stored} -> 'object' ->> ${name} = ${value}`
}

export function isFieldTrue(name: string, value: boolean): SQL {
  return isField(name, String(value))
}
