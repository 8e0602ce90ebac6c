import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { newRenderer } from '../../apps/account-server/src/features/orders/invoice-pdf/renderer.ts'
import { memberRecords, supportAgent } from '../../demo/folio/members.ts'
import { productRecords } from '../../demo/folio/products.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'
import { folioRecords } from '../../demo/folio.ts'
import { runCommand } from '../run-command.ts'
import type { cardProviderStandIn } from './card-provider.ts'
import { projectFolder } from './data-directory.ts'
import { withInvoices } from './demo-invoices.ts'
import { linkDemoAccount } from './demo-linked-account.ts'
import type { PurchaseIds } from './demo-purchases.ts'

/** The password of every demo account. */
export const demoPassword = 'Atrium-demo-1'

const fileName = 'folio.ndjson'

/** The providers' ids of what the cast bought, by the names of the records. */
export const purchasesFile = 'folio-purchases.json'

interface DemoOptions {
  /** Where the files to import are written. */
  directory: string
  databaseUrl: string
  /** The vendor's own PostgreSQL, which may have real customers. */
  isOwnDatabase: boolean
  /** Both providers, if they are the sandbox's: a real one must not get demo data. */
  providers: DemoProviders | undefined
  env: NodeJS.ProcessEnv
  say(sentence: string): void
  signal?: AbortSignal | undefined
}

type DemoProviders = Pick<NonNullable<ReturnType<typeof cardProviderStandIn>>, 'demoCustomers' | 'demoPurchases'>

/** Loads the demo vendor through the importer, once per database. @returns whether it is loaded */
export async function loadDemoVendor({
  directory,
  databaseUrl,
  isOwnDatabase,
  providers,
  env,
  say,
  signal,
}: DemoOptions): Promise<boolean> {
  const { isLoaded, isTakenOver, hasMembers } = await stateOf(databaseUrl)
  const run = (script: string, ...parameters: string[]) =>
    runCommand(process.execPath, [join(projectFolder, 'apps', script), ...parameters], {
      env: { ...env, ATRIUM_DEMO_PASSWORD: demoPassword },
      signal,
    })
  const takeOver = async () => {
    for (const what of ['subscriptions', 'invoices']) await run(sync, what)
  }
  if (isLoaded) {
    if (providers && !isTakenOver) await takeOver()
    return true
  }
  // Accounts with a public password must not be added to real customers.
  if (isOwnDatabase && hasMembers) {
    say('The database of DATABASE_URL has members already: the demo vendor is not loaded.')
    return false
  }

  const accountsFile = join(directory, 'folio-accounts.ndjson')
  const now = new Date()
  const records = withInvoices([...folioRecords(now)], { directory, today: now, render: newRenderer() })
  // It is drawn meanwhile; what goes wrong is thrown where it is needed.
  records.catch(() => undefined)
  await writeLines(accountsFile, [...memberRecords(now), supportAgent])
  await run(accounts, accountsFile, '--password-from', 'ATRIUM_DEMO_PASSWORD')
  await run(accounts, 'role', supportAgent.email, 'support')
  await linkDemoAccount(databaseUrl, env)
  const billed = providers && (await sellDemo(providers, { directory, now, run }))
  const file = join(directory, fileName)
  await writeLines(file, [...named(await records, billed?.ids ?? {}), ...(billed?.customers ?? [])])
  // Its activity row tells the next start that everything is loaded.
  await run(imports, file)
  if (billed) await takeOver()
  return true
}

const accounts = 'sso/src/commands/accounts.ts'
const imports = 'account-server/src/features/imports/import-command.ts'
const sync = 'account-server/src/features/sync/sync-command.ts'

interface Sale {
  directory: string
  now: Date
  run(script: string, ...parameters: string[]): Promise<void>
}

/** Puts the catalog on sale at the providers, where the cast then buys. */
async function sellDemo(providers: DemoProviders, { directory, now, run }: Sale) {
  const productsFile = join(directory, 'folio-products.ndjson')
  await writeLines(productsFile, productRecords())
  await run(imports, productsFile)
  await run(sync, 'catalog')
  const customers = await providers.demoCustomers(now)
  const idsFile = join(directory, purchasesFile)
  const ids = await providers.demoPurchases(customers, {
    today: now,
    ids: await readFile(idsFile, 'utf8').then(JSON.parse, () => ({})),
    keep: (all) => writeFile(idsFile, JSON.stringify(all)),
  })
  return { customers, ids }
}

/** Records under the ids that the providers gave. */
function* named(records: Iterable<FolioRecord>, ids: PurchaseIds): Generator<FolioRecord> {
  for (const record of records) {
    if (!('subscriptionId' in record) || !record.subscriptionId) yield record
    else
      yield { ...record, subscriptionId: ids[record.subscriptionId] ?? record.subscriptionId, ...parentOf(record, ids) }
  }
}

function parentOf(record: FolioRecord, ids: PurchaseIds) {
  const parentId = record.type === 'subscription' ? record.parentId : undefined
  return parentId && { parentId: ids[parentId] ?? parentId }
}

async function writeLines(file: string, records: Iterable<object>): Promise<void> {
  const lines = Readable.from(records).map((entry) => `${JSON.stringify(entry)}\n`)
  await pipeline(lines, createWriteStream(file))
}

interface State {
  isLoaded: boolean
  /** Whether what the cast bought at the providers is here. */
  isTakenOver: boolean
  hasMembers: boolean
}

async function stateOf(databaseUrl: string): Promise<State> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<State>(
      `select exists (select from account.activity where action = 'import.applied' and target = $1) as "isLoaded",
              exists (select from account.orders where provider_id <> '') as "isTakenOver",
              exists (select from account.members) as "hasMembers"`,
      [fileName],
    )
    return rows[0] ?? { isLoaded: false, isTakenOver: false, hasMembers: false }
  } finally {
    await client.end()
  }
}
