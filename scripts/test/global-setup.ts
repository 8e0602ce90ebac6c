import { rm } from 'node:fs/promises'
import pg from 'pg'
import { startEmbeddedPostgres } from '../postgres/embedded.ts'
import { newTemporaryFolder } from './temporary-folder.ts'

/** Starts a temporary PostgreSQL for the run, or uses DATABASE_URL; test files clone their databases in it. */
export async function setup(): Promise<() => Promise<void>> {
  const own = process.env.DATABASE_URL
  if (own) {
    process.env.ATRIUM_TEST_DATABASE_URL = own
    return () => dropTemplates(own)
  }

  const directory = await newTemporaryFolder('test')
  const postgres = await startEmbeddedPostgres({
    directory,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
  })
  process.env.ATRIUM_TEST_DATABASE_URL = postgres.url
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function dropTemplates(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    "select datname from pg_database where datname like 'atrium\\_test\\_%'",
  )
  for (const { datname } of rows) await client.query(`drop database if exists "${datname}" with (force)`)
  await client.end()
}
