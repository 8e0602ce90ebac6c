import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../postgres/embedded.ts'
import { newTemporaryFolder } from './temporary-folder.ts'

/** A folder for one test that PostgreSQL's user may enter. */
export async function newFolder(): Promise<string> {
  const folder = await newTemporaryFolder('embedded')
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** A folder for all tests of a file, with a database that has been stopped: making one takes longer than most tests. Each leaves it so. */
export async function folderWithDatabase(): Promise<string> {
  const folder = await newTemporaryFolder('embedded')
  afterAll(() => rm(folder, { recursive: true, force: true }))
  const postgres = await startEmbeddedPostgres({ directory: folder })
  await postgres.stop()
  return folder
}

/** Stopped after the test. */
export async function start(directory: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ directory })
  onTestFinished(() => postgres.stop())
  return postgres
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

export async function masterOf(directory: string): Promise<number> {
  return Number((await readFile(join(directory, 'postgresql/postmaster.pid'), 'utf8')).split('\n')[0])
}
