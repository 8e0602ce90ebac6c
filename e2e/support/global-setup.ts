import { execFile } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { projectFolder } from '../../scripts/start/data-directory.ts'
import { startStack } from '../../scripts/start/stack.ts'
import { buildPages } from '../../scripts/start/web-build.ts'
import { newTemporaryFolder } from '../../scripts/test/temporary-folder.ts'
import { guestRecords } from './guests.ts'

/** Starts the whole product for the journeys, with its own ports and temporary data. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  const directory = await newTemporaryFolder('journeys')
  const database = await ownDatabase(process.env.DATABASE_URL)

  const stack = await startStack({
    env: {
      ...(await freePorts()),
      // Ports that are set are used as they are.
      ...process.env,
      ATRIUM_DATA_DIR: directory,
      ...(database && { DATABASE_URL: database.url }),
      // All journeys share one IP address.
      REQUESTS_PER_MINUTE: '100000',
      SIGN_INS_PER_ADDRESS: '100000',
    },
    say: (sentence) => process.stdout.write(`${sentence}\n`),
    prepare: buildPages,
    onFailed: () => process.exit(1),
  })

  const { accounts, members } = guestRecords()
  const apps = join(projectFolder, 'apps')
  const run = async (command: string, records: readonly object[], ...options: string[]) => {
    const file = join(directory, 'guests.ndjson')
    await writeFile(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
    await promisify(execFile)(process.execPath, [join(apps, command), file, ...options], { env: stack.environment })
  }
  await run('sso/src/commands/accounts.ts', accounts, '--with-hashes')
  await run('account-server/src/features/imports/import-command.ts', members)

  process.env.ATRIUM_E2E_ACCOUNT = `http://localhost:${stack.config.ATRIUM_PORT}`
  process.env.ATRIUM_E2E_SSO = `http://localhost:${stack.config.ATRIUM_SSO_PORT}`
  process.env.ATRIUM_E2E_SANDBOX = `http://localhost:${stack.config.ATRIUM_SANDBOX_PORT}`
  process.env.ATRIUM_E2E_DATABASE = stack.databaseUrl
  process.env.ATRIUM_E2E_DIRECTORY = directory

  return async () => {
    await stack.stop()
    await database?.drop()
    await rm(directory, { recursive: true, force: true })
  }
}

/** On the vendor's own PostgreSQL, the journeys create and drop a separate database. */
async function ownDatabase(adminUrl: string | undefined) {
  if (!adminUrl) return undefined
  const name = `atrium_journeys_${process.pid}`
  const admin = async (statement: string) => {
    const client = new pg.Client({ connectionString: adminUrl })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await admin(`create database ${name}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => admin(`drop database ${name} with (force)`) }
}

async function freePorts(): Promise<Record<string, string>> {
  const names = ['ATRIUM_PORT', 'ATRIUM_SSO_PORT', 'ATRIUM_SANDBOX_PORT', 'SANDBOX_SMTP_PORT']
  const servers = await Promise.all(
    names.map(
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server))
        }),
    ),
  )
  const ports = servers.map((server) => {
    const address = server.address()
    return String(address !== null && typeof address !== 'string' ? address.port : 0)
  })
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return Object.fromEntries(names.map((name, index) => [name, ports[index] ?? '']))
}
