import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as schema from '../../db/schema.ts'
import { impersonalTables, personalTables } from './personal-tables.ts'

const tables = Object.values(schema).filter((entry) => is(entry, PgTable))

/** Whether a person could be named in it: a text without a closed list of values, JSON, a list, a file. */
function isFree({ columnType, enumValues }: PgColumn): boolean {
  return (
    (columnType === 'PgText' && !enumValues?.length) || ['PgJsonb', 'PgArray', 'PgCustomColumn'].includes(columnType)
  )
}

test('every table is in an erasure and an export, or excluded for a reason (else: list it in personal-tables.ts)', () => {
  const listed = [...personalTables.map(({ table }) => table), ...impersonalTables.keys()]
  expect(listed.map(getTableName).sort()).toEqual(tables.map(getTableName).sort())
  expect([...impersonalTables.values()].every((reason) => reason.length > 5)).toBe(true)
})

test('of a table with personal data, every free text is replaced or kept for a reason', () => {
  const unlisted = personalTables.flatMap(({ table, replaced, kept }) =>
    replaced === 'all'
      ? []
      : Object.entries(getTableColumns(table))
          .filter(([name, column]) => isFree(column) && replaced.includes(name) === kept.includes(name))
          .map(([name]) => `${getTableName(table)}.${name}`),
  )
  expect(unlisted).toEqual([])
})

test('each table has a noun of its own in an export', () => {
  const nouns = personalTables.map(({ noun }) => noun)
  expect(new Set(nouns).size).toBe(nouns.length)
})
