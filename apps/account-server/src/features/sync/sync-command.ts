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
import { type Paypal, paypalProvider } from '../../outside/paypal/paypal.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { syncPaypalCatalog } from '../catalog/paypal-catalog.sync.ts'
import { addMissingLicenses } from '../licenses/licenses.writes.ts'
import { syncInvoices } from '../orders/orders.sync.ts'
import { syncRefunds } from '../orders/refunds.sync.ts'
import { syncCustomers } from '../payments/customers/customers.sync.ts'
import { markDueOrders } from '../subscriptions/due-orders.writes.ts'
import { syncPaypalSubscriptions, syncSales } from '../subscriptions/paypal-subscriptions.sync.ts'
import { syncSubscriptions } from '../subscriptions/subscriptions.sync.ts'

const usage = 'Usage: npm run sync -- catalog | customers | subscriptions | invoices'

const about = `catalog: creates at the providers what the catalog has and they have not, and stores which price is which.
customers: links the card provider’s customers to members, by stored id, else by verified e-mail.
subscriptions: takes over the subscriptions of customers who are linked, and PayPal’s whose payer is a member.
invoices: takes over what was paid for them as orders; it keeps the provider’s number and document.
Each may be interrupted and run again. It works on the database of DATABASE_URL, or of the npm start that runs beside this,
and at the card provider of STRIPE_SECRET_KEY and the PayPal of PAYPAL_CLIENT_ID (docs/operations.md).

Exit codes: 0 everything matched; 1 something did not, and was named; 2 the arguments or a setting is wrong; 3 the database or
a provider; 4 a fault of Atrium.`

interface SyncDeps {
  db: Db
  cards: CardProvider
  paypal: Paypal
  clock: () => Date
  logger: FastifyBaseLogger
  say(sentence: string): void
}

/** Prints what was done, and returns how much was not matched. */
type Sync = (deps: SyncDeps) => Promise<{ summary: string; unmatched: number }>

const takenOver = (what: string, { synced, unmatched }: { synced: number; unmatched: number }) => ({
  summary: `${what} taken over, now or before: ${synced}`,
  unmatched,
})

/** What is synced, with each provider. */
const syncs: ReadonlyMap<string, { card: Sync; paypal?: Sync }> = new Map([
  [
    'catalog',
    {
      card: async (deps: SyncDeps) => {
        const { products, prices, unknown } = await syncCatalog(deps)
        return { summary: `created: products ${products}, prices ${prices}`, unmatched: unknown }
      },
      paypal: async (deps: SyncDeps) => {
        const { plans, unknown } = await syncPaypalCatalog(deps)
        return { summary: `created: plans ${plans}`, unmatched: unknown }
      },
    },
  ],
  [
    'customers',
    {
      card: async (deps: SyncDeps) => {
        const { linked, known, unmatched } = await syncCustomers({ ...deps, now: deps.clock() })
        return { summary: `customers linked: ${linked}, linked before: ${known}`, unmatched }
      },
    },
  ],
  [
    'subscriptions',
    {
      card: async (deps: SyncDeps) => takenOver('subscriptions', await syncSubscriptions(deps)),
      paypal: async (deps: SyncDeps) => takenOver('subscriptions', await syncPaypalSubscriptions(deps)),
    },
  ],
  [
    'invoices',
    {
      // No invoice of ours is written for what was paid before: nothing is sent to a queue.
      card: async (deps: SyncDeps) => {
        const counts = await syncInvoices({
          ...deps,
          jobs: { send: async () => undefined, sendLater: async () => undefined },
        })
        await markDueOrders(deps.db)
        const refunded = await syncRefunds(deps)
        const { summary, unmatched } = takenOver('invoices', counts)
        return { summary: `${summary}, with refunds: ${refunded}`, unmatched }
      },
      paypal: async (deps: SyncDeps) => takenOver('payments', await syncSales(deps)),
    },
  ],
])

await runCommand({ usage, about, options: [], main })

async function main([name = '', ...others]: string[]): Promise<ExitCode> {
  const wanted = syncs.get(name)
  if (!wanted || others.length > 0) throw new UsageError(usage)
  refuseWithoutDatabase(process.env)
  const config = readConfig(SyncSettings, process.env)
  const { CARD_PROVIDER, STRIPE_API_URL, PAYPAL, PAYPAL_API_URL } = config
  const providers = [
    {
      name: 'The card provider',
      address: `${STRIPE_API_URL} (STRIPE_API_URL, STRIPE_SECRET_KEY)`,
      is: CARD_PROVIDER,
      sync: wanted.card,
    },
    {
      name: 'PayPal',
      address: `${PAYPAL_API_URL} (PAYPAL_API_URL, PAYPAL_CLIENT_ID)`,
      is: PAYPAL,
      sync: wanted.paypal,
    },
  ].flatMap(({ sync, is, ...provider }) => (is === 'none' || !sync ? [] : [{ ...provider, sync }]))
  if (providers.length === 0) throw new UsageError('CARD_PROVIDER and PAYPAL are none: there is nothing to sync with.')

  const sentenceOf = (trouble = 'The connection to the database was lost.') =>
    `${trouble} Run it again: what is done stays.`
  const work = { url: config.DATABASE_URL, applicationName: 'atrium-sync', migrations, sentenceOf }
  return runOnDatabase(work, async (db) => {
    const say = (sentence: string) => void process.stdout.write(`${sentence}\n`)
    const logger = newLogger('sync', config.LOG_LEVEL)
    const deps = {
      db,
      cards: cardProvider(config),
      paypal: paypalProvider(config),
      clock: () => new Date(),
      logger,
      say,
    }
    let unmatched = 0
    for (const provider of providers) {
      try {
        const outcome = await provider.sync(deps)
        say(`${provider.name}: ${outcome.summary}, not matched: ${outcome.unmatched}`)
        unmatched += outcome.unmatched
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        const trouble = `${provider.name} at ${provider.address}: ${error.message.replace(/\.$/, '')}.`
        process.stderr.write(`${sentenceOf(trouble)}\n`)
        return exitCodes.database
      }
    }
    await addMissingLicenses(db)
    return unmatched > 0 ? exitCodes.refused : exitCodes.done
  })
}
