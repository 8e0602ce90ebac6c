import { join } from 'node:path'
import type { Db } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'

/** The database has no tables, or those of an earlier version. */
export class NotMigrated extends Error {
  constructor() {
    super('The database does not have the tables of this version: start account-server once, which makes them.')
    this.name = 'NotMigrated'
  }
}

/** @throws NotMigrated where the tables are not those of this version, or of a later one */
export async function refuseUnmigrated(db: Db): Promise<void> {
  const wanted = readMigrationFiles({ migrationsFolder: join(import.meta.dirname, '../../migrations') }).at(-1)
  const { rows } = await db.execute<{ table: string | null }>(
    sql`select to_regclass('migrations.account')::text as "table"`,
  )
  if (!rows[0]?.table) throw new NotMigrated()
  const done = await db.execute<{ last: string | null }>(sql`select max(created_at) as last from migrations.account`)
  if (Number(done.rows[0]?.last ?? 0) < (wanted?.folderMillis ?? 0)) throw new NotMigrated()
}
