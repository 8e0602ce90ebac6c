import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Db } from './database.ts'

/** Those of a program: whose start runs them, their files, and the table in the schema `migrations` that lists those that have run. */
export interface Migrations {
  program: string
  folder: string
  table: string
}

/** The database has no tables, or those of an earlier version. */
export class NotMigrated extends Error {
  constructor(program: string) {
    super(`The database does not have the tables of this version: start ${program} once, which makes them.`)
    this.name = 'NotMigrated'
  }
}

/** @throws NotMigrated where the tables are not those of this version, or of a later one */
export async function refuseUnmigrated(db: Db, { program, folder, table }: Migrations): Promise<void> {
  const wanted = readMigrationFiles({ migrationsFolder: folder }).at(-1)
  const list = sql`${sql.identifier('migrations')}.${sql.identifier(table)}`
  const { rows } = await db.execute<{ table: string | null }>(
    sql`select to_regclass(${`migrations.${table}`})::text as "table"`,
  )
  if (!rows[0]?.table) throw new NotMigrated(program)
  const done = await db.execute<{ last: string | null }>(sql`select max(created_at) as last from ${list}`)
  if (Number(done.rows[0]?.last ?? 0) < (wanted?.folderMillis ?? 0)) throw new NotMigrated(program)
}
