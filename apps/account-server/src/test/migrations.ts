import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '@atrium/server-kit/database.ts'
import { newEmptyDatabase } from '@atrium/server-kit/test-database.ts'

const migrations = join(import.meta.dirname, '../../migrations')

/** A database in the state before a migration, and a function that applies it and all later ones. */
export async function newDatabaseBefore(tag: string) {
  const database = await newEmptyDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'atrium-migrations-'))
  await cp(migrations, folder, { recursive: true })
  const journalFile = join(folder, 'meta/_journal.json')
  const journal: { entries: { tag: string }[] } = JSON.parse(await readFile(journalFile, 'utf8'))
  const place = journal.entries.findIndex((entry) => entry.tag === tag)
  if (place === -1) throw new Error(`there is no migration ${tag}`)
  await writeFile(journalFile, JSON.stringify({ ...journal, entries: journal.entries.slice(0, place) }))
  await migrate(database.url, folder, 'account')
  await rm(folder, { recursive: true })
  return { ...database, migrate: () => migrate(database.url, migrations, 'account') }
}
