import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, getTableColumns, getTableName, is } from 'drizzle-orm'
import { getTableConfig, type PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'
import * as schema from './schema.ts'

/** Tables that do not count as a member's data: sign-in, also the support's, and idempotency keys. */
const besides: readonly PgTable[] = [schema.identities, schema.sessions, schema.supportSessions, schema.idempotencyKeys]

/** Every column with a foreign key to members, so that new tables are included automatically. */
const memberColumns: readonly PgColumn[] = Object.values(schema)
  .filter((entry) => is(entry, PgTable))
  .filter((table) => !besides.includes(table))
  .flatMap((table) => getTableConfig(table).foreignKeys.map((key) => key.reference()))
  .filter(({ foreignTable }) => foreignTable === members)
  .flatMap(({ columns }) => columns)

/** The number of a member's rows by table: `{ billing_addresses: 2 }`. Empty for a member who has only signed in. */
export async function memberData(tx: Tx, memberId: string): Promise<Readonly<Record<string, number>>> {
  const data: Record<string, number> = {}
  for (const column of memberColumns) {
    const rows = await tx.$count(column.table, eq(column, memberId))
    if (rows > 0) data[getTableName(column.table)] = rows
  }
  return (await hasProfile(tx, memberId)) ? { ...data, profile: 1 } : data
}

/** Whether the profile has more than the single sign-on provides. */
async function hasProfile(tx: Tx, memberId: string): Promise<boolean> {
  const [member] = await tx.select(getTableColumns(members)).from(members).where(eq(members.id, memberId))
  if (!member) return false
  const { phone, company, countryCode, supportAccessUntil } = member
  return phone !== '' || company !== '' || countryCode !== '' || supportAccessUntil !== null
}
