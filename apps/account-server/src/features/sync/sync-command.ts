import { parseArgs } from 'node:util'
import {
  type ExitCode,
  exitCodes,
  refuseWithoutDatabase,
  runCommand,
  runOnDatabase,
  type Surroundings,
} from '@atrium/server-kit/command.ts'
import { readConfig } from '@atrium/server-kit/config.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { type JobSender, openJobSender } from '@atrium/server-kit/job-sender.ts'
import { newLogger } from '@atrium/server-kit/logging.ts'
import { UsageError } from '@atrium/server-kit/usage-error.ts'
import type { FastifyBaseLogger } from 'fastify'
import { z } from 'zod'
import { SyncSettings } from '../../config.ts'
import { businessTime } from '../../db/business-clock.queries.ts'
import { migrations } from '../../db/migrations.ts'
import { type CardProvider, cardProvider } from '../../outside/card-provider/card-provider.ts'
import { type Paypal, paypalProvider } from '../../outside/paypal/paypal.ts'
import { ProviderFailure } from '../../outside/provider-failure.ts'
import { recordConfirmedAddresses } from '../activity/activity.writes.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { syncPaypalCatalog } from '../catalog/paypal-catalog.sync.ts'
import { matchLicenses } from '../licenses/licenses.writes.ts'
import { syncInvoices } from '../orders/orders.sync.ts'
import { syncRefunds } from '../orders/refunds.sync.ts'
import { proofCounts, syncCustomers } from '../payments/customers/customers.sync.ts'
import { markDueOrders } from '../subscriptions/due-orders.writes.ts'
import { markHiddenOrders } from '../subscriptions/hidden-orders.writes.ts'
import { knownSubscriptions } from '../subscriptions/known-subscriptions.queries.ts'
import { giveToProven, heldByOthers } from '../subscriptions/ownership/give-to-proven.ts'
import { proveSameCards } from '../subscriptions/ownership/same-card-purchases.ts'
import {
  syncPaypalSubscriptions,
  syncSales,
  takeOverPaypalSubscription,
} from '../subscriptions/paypal-subscriptions.sync.ts'
import { syncSubscriptions, takeOverSubscription } from '../subscriptions/subscriptions.sync.ts'
import { confirmPaypal } from './confirm-paypal.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const usage = `Usage:
  npm run sync -- catalog
  npm run sync -- customers [--confirmed-until DAY]
  npm run sync -- subscriptions
  npm run sync -- invoices
  npm run sync -- unmatched [--accept ID]`

const about = `catalog: creates at the providers what the catalog has and they have not, and stores which price is which.
customers: links the card provider’s customers to members, by stored id, by what your key or shop wrote, else by verified e-mail.
With --confirmed-until 2026-06-30 you say that your shop had confirmed each address that it took before that day (UTC); at
PayPal, the payer's.
subscriptions: takes over the subscriptions of customers who are linked, and PayPal’s whose payer is a member.
invoices: takes over what was paid for them as orders; it keeps the provider’s number and document.
unmatched: lists what was bought and is nobody’s here, or is not granted; --accept ID takes one as it is.
Each may be interrupted and run again. It works on the database of DATABASE_URL, or of the npm start that runs beside this,
and at the card provider of STRIPE_SECRET_KEY and the PayPal of PAYPAL_CLIENT_ID (docs/operations.md).

Exit codes: 0 everything matched; 1 something did not, and was named; 2 the arguments or a setting is wrong; 3 the database or
a provider; 4 a fault of Atrium.`

interface SyncDeps {
  db: Db
  cards: CardProvider
  paypal: Paypal
  config: z.output<typeof SyncSettings>
  clock: () => Date
  logger: FastifyBaseLogger
  /** What is to be emailed, the running program sends. */
  jobs: Pick<JobSender, 'send' | 'sendLater'>
  confirmedUntil: Date | undefined
  /** Of an unmatched purchase that the operator takes as it is. */
  accept: string | undefined
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
        const { linked, known, raised, unmatched, elsewhere } = await syncCustomers({ ...deps, now: deps.clock() })
        await proveSameCards(deps)
        const others = await givenTo(deps, elsewhere)
        const given = others.filter((isGiven) => isGiven).length
        await recordWord(deps)
        const { ours, vendor, signed, address } = await proofCounts(deps.db)
        const proofs = `ours ${ours}, vendor ${vendor}, signed ${signed}, address ${address}`
        const summary = `customers linked: ${linked}, linked before: ${known}, proven now: ${raised}, given to another member: ${given}; by proof: ${proofs}`
        return { summary, unmatched: unmatched + others.length - given }
      },
      paypal: async ({ confirmedUntil, ...deps }: SyncDeps) => {
        const raised = confirmedUntil ? await confirmPaypal(deps, confirmedUntil) : 0
        return { summary: `subscriptions proven now: ${raised}`, unmatched: 0 }
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
        const counts = await syncInvoices(
          { ...deps, jobs: { send: async () => undefined, sendLater: async () => undefined } },
          knownSubscriptions,
        )
        await markDueOrders(deps.db)
        await markHiddenOrders(deps.db)
        const refunded = await syncRefunds(deps)
        const { summary, unmatched } = takenOver('invoices', counts)
        return { summary: `${summary}, with refunds: ${refunded}`, unmatched }
      },
      paypal: async (deps: SyncDeps) => {
        const counts = await syncSales(deps)
        await markHiddenOrders(deps.db)
        return takenOver('payments', counts)
      },
    },
  ],
  [
    'unmatched',
    {
      card: (deps: SyncDeps) => unmatchedAt(deps, 'card', (id) => takeOverSubscription(deps, id)),
      paypal: (deps: SyncDeps) => unmatchedAt(deps, 'paypal', (id) => takeOverPaypalSubscription(deps, id)),
    },
  ],
])

/**
 * @param elsewhere ids of customers whom an address has made one member's, and who are proven to be another
 * @returns of each, and of what others have of those who are proven: whether it was given to whom it is proven to be
 */
async function givenTo(deps: SyncDeps, elsewhere: readonly string[]): Promise<boolean[]> {
  const outcomes: boolean[] = []
  for (const customerId of new Set([...elsewhere, ...(await heldByOthers(deps.db))])) {
    const outcome = await giveToProven({ ...deps, onLinked: async () => undefined }, customerId)
    outcomes.push(outcome?.kind === 'linked')
    if (outcome?.kind !== 'linked')
      deps.say(`${customerId}: it is another member’s now, and the one before has a card on file there or changes it`)
  }
  return outcomes
}

/** The operator's word is one activity row, for all members. */
async function recordWord({ db, clock, confirmedUntil }: SyncDeps): Promise<void> {
  if (!confirmedUntil) return
  const target = confirmedUntil.toISOString().slice(0, 10)
  await db.transaction((tx) => recordConfirmedAddresses(tx, { target, now: clock() }))
}

/** Accepts what is asked for, if this provider has it, and lists what waits. */
async function unmatchedAt({ db, clock, accept, say }: SyncDeps, provider: 'card' | 'paypal', takeOver: TakeOverOne) {
  const accepted = accept ? await acceptUnmatched(db, { id: accept, provider, now: clock() }) : undefined
  if (accepted?.kind === 'refused') say(`${accept} cannot be accepted: ${accepted.why}`)
  if (accepted?.kind === 'accepted') {
    await takeOver(accepted.objectId)
    say(`${accept}: ${accepted.objectId} is accepted`)
  }
  const lines = await unmatchedLines(db, provider)
  for (const line of lines) say(line)
  return { summary: 'purchases that wait are named above', unmatched: lines.length }
}

type TakeOverOne = (objectId: string) => Promise<void>

/** @throws UsageError */
function argumentsOf(given: string[]) {
  const { positionals, values } = parseArgs({
    args: given,
    allowPositionals: true,
    options: { 'confirmed-until': { type: 'string' }, accept: { type: 'string' } },
  })
  const [name = '', ...others] = positionals
  const { 'confirmed-until': day, accept } = values
  const isMisplaced = (day !== undefined && name !== 'customers') || (accept !== undefined && name !== 'unmatched')
  if (others.length > 0 || isMisplaced) throw new UsageError(usage)
  if (day !== undefined && !z.iso.date().safeParse(day).success) throw new UsageError(usage)
  return { name, accept, confirmedUntil: day === undefined ? undefined : new Date(`${day}T00:00:00Z`) }
}

process.exitCode = await runCommand({ usage, about, options: ['confirmed-until', 'accept'], main }, process)

async function main(given: string[], { env, print, printError }: Surroundings): Promise<ExitCode> {
  const { name, confirmedUntil, accept } = argumentsOf(given)
  const wanted = syncs.get(name)
  if (!wanted) throw new UsageError(usage)
  refuseWithoutDatabase(env)
  const config = readConfig(SyncSettings, env)
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
    const logger = newLogger('sync', config.LOG_LEVEL)
    await using jobs = await openJobSender(db, { schema: 'account_jobs', program: 'account-server' })
    const deps = {
      ...{ db, jobs },
      cards: cardProvider(config),
      paypal: paypalProvider(config),
      config,
      ...{ confirmedUntil, accept },
      clock: await businessTime(db, config),
      logger,
      say: print,
    }
    let unmatched = 0
    for (const provider of providers) {
      try {
        const outcome = await provider.sync(deps)
        print(`${provider.name}: ${outcome.summary}, not matched: ${outcome.unmatched}`)
        unmatched += outcome.unmatched
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        const trouble = `${provider.name} at ${provider.address}: ${error.message.replace(/\.$/, '')}.`
        printError(sentenceOf(trouble))
        return exitCodes.database
      }
    }
    await matchLicenses(db)
    return unmatched > 0 ? exitCodes.refused : exitCodes.done
  })
}
