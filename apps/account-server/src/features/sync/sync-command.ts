import {
  type ExitCode,
  exitCodes,
  refuseWithoutDatabase,
  runCommand,
  runOnDatabase,
} from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import type { FastifyBaseLogger } from 'fastify'
import { SyncSettings } from '../../config.ts'
import { migrations } from '../../db/migrations.ts'
import { type CardProvider, cardProvider } from '../../outside/card-provider/card-provider.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { syncInvoices } from '../orders/orders.sync.ts'
import { syncCustomers } from '../payments/customers/customers.sync.ts'
import { syncSubscriptions } from '../subscriptions/subscriptions.sync.ts'

const usage = 'Usage: npm run sync -- catalog | customers | subscriptions | invoices'

const about = `catalog: creates at the card provider what the catalog has and the provider has not, and stores which price is which.
customers: links the provider’s customers to members, by stored id, else by verified e-mail.
subscriptions: takes over the subscriptions of customers who are linked.
invoices: takes over their invoices as orders; what was paid keeps the provider’s number and document.
Each may be interrupted and run again. It works on the database of DATABASE_URL, or of the npm start that runs beside this,
and at the card provider of STRIPE_SECRET_KEY (docs/operations.md).

Exit codes: 0 everything matched; 1 something did not, and was named; 2 the arguments or a setting is wrong; 3 the database or
the card provider; 4 a fault of Atrium.`

interface SyncDeps {
  db: Db
  cards: CardProvider
  clock: () => Date
  logger: FastifyBaseLogger
  say(sentence: string): void
}

/** What is synced: prints a summary, and returns how much was not matched. */
const syncs: ReadonlyMap<string, (deps: SyncDeps) => Promise<{ summary: string; unmatched: number }>> = new Map([
  [
    'catalog',
    async (deps: SyncDeps) => {
      const { products, prices, unknown } = await syncCatalog(deps)
      return { summary: `created: products ${products}, prices ${prices}`, unmatched: unknown }
    },
  ],
  [
    'customers',
    async (deps: SyncDeps) => {
      const { linked, known, unmatched } = await syncCustomers({ ...deps, now: deps.clock() })
      return { summary: `customers linked: ${linked}, linked before: ${known}`, unmatched }
    },
  ],
  [
    'subscriptions',
    async (deps: SyncDeps) => {
      const { synced, unmatched } = await syncSubscriptions(deps)
      return { summary: `subscriptions taken over, now or before: ${synced}`, unmatched }
    },
  ],
  [
    'invoices',
    async (deps: SyncDeps) => {
      // No invoice of ours is written for what was paid before: nothing is sent to a queue.
      const { synced, unmatched } = await syncInvoices({ ...deps, jobs: { send: async () => undefined } })
      return { summary: `invoices taken over, now or before: ${synced}`, unmatched }
    },
  ],
])

await runCommand({ usage, about, options: [], main })

async function main([name = '', ...others]: string[]): Promise<ExitCode> {
  const sync = syncs.get(name)
  if (!sync || others.length > 0) throw new UsageError(usage)
  refuseWithoutDatabase(process.env)
  const config = readConfig(SyncSettings, process.env)
  if (config.CARD_PROVIDER === 'none') throw new UsageError('CARD_PROVIDER is none: there is nothing to sync with.')

  const sentenceOf = (trouble = 'The connection to the database was lost.') =>
    `${trouble} Run it again: what is done stays.`
  const work = { url: config.DATABASE_URL, applicationName: 'atrium-sync', migrations, sentenceOf }
  return runOnDatabase(work, async (db) => {
    try {
      const say = (sentence: string) => void process.stdout.write(`${sentence}\n`)
      const { summary, unmatched } = await sync({
        db,
        cards: cardProvider(config),
        clock: () => new Date(),
        logger: newLogger('sync', config.LOG_LEVEL),
        say,
      })
      say(`${summary}, not matched: ${unmatched}`)
      return unmatched > 0 ? exitCodes.refused : exitCodes.done
    } catch (error) {
      if (!(error instanceof ProviderFailure)) throw error
      const trouble = `The card provider at ${config.STRIPE_API_URL} (STRIPE_API_URL): ${error.message.replace(/\.$/, '')}.`
      process.stderr.write(`${sentenceOf(trouble)}\n`)
      return exitCodes.database
    }
  })
}
