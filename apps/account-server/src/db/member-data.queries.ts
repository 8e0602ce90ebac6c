import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'
import * as schema from './schema.ts'

/** How a member signs in and what their page repeats are not what is theirs. */
const besides: readonly PgTable[] = [schema.identities, schema.sessions, schema.idempotencyKeys]

/** Every column that names a member, found by its foreign key: a new table is here without being named. */
const memberColumns: readonly PgColumn[] = Object.values(schema)
  .filter((entry) => is(entry, PgTable))
  .filter((table) => !besides.includes(table))
  .flatMap((table) => getTableConfig(table).foreignKeys.map((key) => key.reference()))
  .filter(({ foreignTable }) => foreignTable === members)
  .flatMap(({ columns }) => columns)

/** What a member has here, by table: `{ billing_addresses: 2 }`. Empty: a member who only ever signed in. */
export async function memberData(tx: Tx, memberId: string): Promise<Readonly<Record<string, number>>> {
  const data: Record<string, number> = {}
  for (const column of memberColumns) {
    const rows = await tx.$count(column.table, eq(column, memberId))
    if (rows > 0) data[getTableName(column.table)] = rows
  }
  return (await hasProfile(tx, memberId)) ? { ...data, profile: 1 } : data
}

/** Whether they, or an import, said more of themselves than the single sign-on does. */
async function hasProfile(tx: Tx, memberId: string): Promise<boolean> {
  const [member] = await tx.select(getTableColumns(members)).from(members).where(eq(members.id, memberId))
  if (!member) return false
  const { phone, company, countryCode, supportAccessUntil } = member
  return phone !== '' || company !== '' || countryCode !== '' || supportAccessUntil !== null
}
