import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
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
  // PostgreSQL's user writes there, and a test's program of a user without rights connects.
  const socketFolder = join(directory, 'sockets')
  await mkdir(socketFolder)
  await chmod(socketFolder, 0o777)
  const postgres = await startEmbeddedPostgres({
    directory,
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' },
      ...(hasSocket(socketFolder) && { unix_socket_directories: socketFolder }),
    },
  })
  process.env.ATRIUM_TEST_DATABASE_URL = hasSocket(socketFolder) ? onSocket(postgres.url, socketFolder) : postgres.url
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** Windows has none that node-postgres uses, and its address holds 107 bytes. */
function hasSocket(folder: string): boolean {
  return process.platform !== 'win32' && Buffer.byteLength(folder) < 90
}

/** Tests send many small queries: each takes two thirds of the time that it takes over TCP. */
function onSocket(url: string, folder: string): string {
  return url.replace('@127.0.0.1:', `@${encodeURIComponent(folder)}:`)
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
