import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { memberRecords } from '../../demo/folio/members.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'
import { folioRecords } from '../../demo/folio.ts'
import { runCommand } from '../run-command.ts'
import { projectFolder } from './data-directory.ts'

/** One password for everybody in the demo; it guards nothing real. */
export const demoPassword = 'Atrium-demo-1'

const fileName = 'folio.ndjson'

interface DemoOptions {
  /** For the file that is loaded. */
  directory: string
  databaseUrl: string
  /** A PostgreSQL of the vendor's own, which may hold real customers. */
  isOwnDatabase: boolean
  /** Makes the customers of the card provider, and answers who they are. */
  customers(today: Date): Promise<FolioRecord[]>
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  signal?: AbortSignal | undefined
}

/** Loads the demo vendor once a database, as a vendor loads theirs: through the importer. Answers whether it is there. */
export async function loadDemoVendor({
  directory,
  databaseUrl,
  isOwnDatabase,
  customers,
  env,
  say,
  signal,
}: DemoOptions): Promise<boolean> {
  const { isLoaded, hasMembers } = await stateOf(databaseUrl)
  if (isLoaded) return true
  // Accounts with a public password do not belong beside real customers.
  if (isOwnDatabase && hasMembers) {
    say('The database of DATABASE_URL has members already: the demo vendor is not loaded.')
    return false
  }

  const file = join(directory, fileName)
  const cast = join(directory, 'folio-accounts.ndjson')
  const now = new Date()
  await writeLines(file, [...folioRecords(now), ...(await customers(now))])
  await writeLines(cast, memberRecords(now))

  const accounts = join(projectFolder, 'apps/sso/src/commands/accounts.ts')
  const imports = join(projectFolder, 'apps/account-server/src/features/imports/import-command.ts')
  await runCommand(process.execPath, [accounts, cast, '--password-from', 'ATRIUM_DEMO_PASSWORD'], {
    env: { ...env, ATRIUM_DEMO_PASSWORD: demoPassword },
    signal,
  })
  // Last: its activity row is how the next start knows that everything is there.
  await runCommand(process.execPath, [imports, file], { env, signal })
  return true
}

async function writeLines(file: string, records: Iterable<object>): Promise<void> {
  const lines = Readable.from(records).map((entry) => `${JSON.stringify(entry)}\n`)
  await pipeline(lines, createWriteStream(file))
}

async function stateOf(databaseUrl: string): Promise<{ isLoaded: boolean; hasMembers: boolean }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ isLoaded: boolean; hasMembers: boolean }>(
      `select exists (select from account.activity where action = 'import.applied' and target = $1) as "isLoaded",
              exists (select from account.members) as "hasMembers"`,
      [fileName],
    )
    return rows[0] ?? { isLoaded: false, hasMembers: false }
  } finally {
    await client.end()
  }
}
