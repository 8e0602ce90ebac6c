import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { memberRecords } from '../../demo/folio/members.ts'
import { productRecords } from '../../demo/folio/products.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'
import { folioRecords } from '../../demo/folio.ts'
import { runCommand } from '../run-command.ts'
import { projectFolder } from './data-directory.ts'

/** The password of every demo account. */
export const demoPassword = 'Atrium-demo-1'

const fileName = 'folio.ndjson'

interface DemoOptions {
  /** Where the files to import are written. */
  directory: string
  databaseUrl: string
  /** The vendor's own PostgreSQL, which may have real customers. */
  isOwnDatabase: boolean
  /** Creates the customers at the card provider. @returns the records to import */
  customers(today: Date): Promise<FolioRecord[]>
  /** Whether its catalog is put on sale at the providers, which are the sandbox's. */
  isSold: boolean
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  signal?: AbortSignal | undefined
}

/** Loads the demo vendor through the importer, once per database. @returns whether it is loaded */
export async function loadDemoVendor({
  directory,
  databaseUrl,
  isOwnDatabase,
  customers,
  isSold,
  env,
  say,
  signal,
}: DemoOptions): Promise<boolean> {
  const { isLoaded, hasMembers } = await stateOf(databaseUrl)
  if (isLoaded) return true
  // Accounts with a public password must not be added to real customers.
  if (isOwnDatabase && hasMembers) {
    say('The database of DATABASE_URL has members already: the demo vendor is not loaded.')
    return false
  }

  const file = join(directory, fileName)
  const accountsFile = join(directory, 'folio-accounts.ndjson')
  const now = new Date()
  await writeLines(file, [...folioRecords(now), ...(await customers(now))])
  await writeLines(accountsFile, memberRecords(now))

  const accounts = join(projectFolder, 'apps/sso/src/commands/accounts.ts')
  const imports = join(projectFolder, 'apps/account-server/src/features/imports/import-command.ts')
  await runCommand(process.execPath, [accounts, accountsFile, '--password-from', 'ATRIUM_DEMO_PASSWORD'], {
    env: { ...env, ATRIUM_DEMO_PASSWORD: demoPassword },
    signal,
  })
  if (isSold) {
    const productsFile = join(directory, 'folio-products.ndjson')
    await writeLines(productsFile, productRecords())
    await runCommand(process.execPath, [imports, productsFile], { env, signal })
    const sync = join(projectFolder, 'apps/account-server/src/features/sync/sync-command.ts')
    await runCommand(process.execPath, [sync, 'catalog'], { env, signal })
  }
  // Last, because its activity row tells the next start that everything is loaded.
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
