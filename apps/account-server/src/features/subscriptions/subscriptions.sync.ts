import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { BilledSubscription } from '../../outside/card-provider/subscriptions.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { recordProvider } from '../activity/activity.writes.ts'
import { knownPrices } from '../catalog/catalog.queries.ts'
import { addForeignProduct } from '../catalog/catalog.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { syncInvoice } from '../orders/orders.sync.ts'
import { memberIdOfCustomer } from '../payments/customers/customers.queries.ts'
import {
  differences,
  isKnownStatus,
  isUnpaidStart,
  type KnownPrice,
  type Projection,
  projectionOf,
} from './projection.rules.ts'
import { addOwnersSeat } from './seats.writes.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

interface Needs extends Pick<Deps, 'db' | 'clock' | 'logger'> {
  cards: Pick<Deps['cards'], 'readSubscription' | 'subscriptionsAfter' | 'productName'>
  publish(tx: Tx, happening: Parameters<typeof publishEvent>[2]): Promise<void>
}

/** Fetches a subscription of the card provider and applies its state: a webhook says only that something changed. */
export async function syncSubscription(deps: Deps, id: string): Promise<void> {
  const syncNumber = await nextSyncNumber(deps.db)
  const billed = await ifKnown(deps.cards.readSubscription(id))
  const publish: Needs['publish'] = (tx, happening) => publishEvent(deps, tx, happening)
  if (billed) await project({ ...deps, publish }, billed, syncNumber)
}

/** Applies an invoice to its order, and then what it means for its subscription: what is due, and until when it is paid. */
export async function syncInvoiceOfSubscription(deps: Deps, id: string): Promise<void> {
  const subscriptionId = await syncInvoice(deps, id)
  if (subscriptionId !== '') await syncSubscription(deps, subscriptionId)
}

/**
 * Takes over every subscription that the card provider has, without events: nothing happened. It may be interrupted and run again.
 * @returns how many were taken over, and how many belong to nobody here
 */
export async function syncSubscriptions(asked: Omit<Needs, 'publish'> & { say(sentence: string): void }) {
  const deps = { ...asked, publish: async () => undefined }
  const counts = { synced: 0, unmatched: 0 }
  let after: string | undefined
  do {
    const syncNumber = await nextSyncNumber(deps.db)
    const { subscriptions: page, hasMore } = await deps.cards.subscriptionsAfter(after)
    for (const billed of page) {
      const outcome = await project(deps, billed, syncNumber)
      if (outcome === 'no_member') deps.say(`${billed.id}: customer ${billed.customerId} is no member’s`)
      if (outcome === 'no_member') counts.unmatched += 1
      else counts.synced += 1
    }
    after = hasMore ? page.at(-1)?.id : undefined
  } while (after)
  return counts
}

async function project(deps: Needs, billed: BilledSubscription, syncNumber: number): Promise<'done' | 'no_member'> {
  const { db, clock, logger } = deps
  const memberId = await memberIdOfCustomer(db, billed.customerId)
  const prices = await pricesOf(deps, billed)
  if (!isKnownStatus(billed)) {
    logger.error(
      { subscriptionId: billed.id, status: billed.status },
      'a state of subscriptions that is not known here',
    )
  }
  return db.transaction(async (tx) => {
    const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.providerId, billed.id)).for('update')
    if (!before && !memberId) {
      logger.warn({ subscriptionId: billed.id, customerId: billed.customerId }, 'a subscription of nobody here')
      return 'no_member'
    }
    if (before ? before.syncNumber > syncNumber : isUnpaidStart(billed)) return 'done'
    const after = projectionOf(billed, { prices, before, now: clock() })
    if (!after) return 'done'
    if (before) await change(deps, tx, { before, after, syncNumber })
    else if (memberId) await create(deps, tx, { after, syncNumber, memberId, id: billed.id })
    return 'done'
  })
}

/** Products that the catalog does not know are added under the provider's name, and an error tells the vendor. */
async function pricesOf({ db, cards, logger }: Needs, { id, items }: BilledSubscription) {
  const known = await knownPrices(
    db,
    items.map(({ priceId }) => priceId),
  )
  const prices = new Map<string, KnownPrice>()
  for (const { priceId, productId } of items) {
    const found = known.get(priceId)
    const flags = found?.flags ?? []
    prices.set(priceId, {
      productCode: found?.productCode ?? productId,
      term: found?.term ?? null,
      isConnector: flags.includes('connector'),
      isStorage: flags.includes('storage'),
    })
    if (found) continue
    logger.error({ subscriptionId: id, priceId, productId }, 'a price that the catalog does not know')
    const name = await cards.productName(productId)
    await db.transaction((tx) => addForeignProduct(tx, { id: productId, name }))
  }
  return prices
}

interface Creation {
  after: Projection
  syncNumber: number
  memberId: string
  id: string
}

async function create(deps: Needs, tx: Tx, { after, syncNumber, memberId, id }: Creation): Promise<void> {
  const row = { id, providerId: id, memberId, origin: 'online', channel: 'card', orgCode: '', syncNumber } as const
  const made = await tx
    .insert(subscriptions)
    .values({ ...row, ...after })
    .onConflictDoNothing()
    .returning({ id: subscriptions.id })
  // Another job was faster, and an event about what this one has read is still to come.
  if (made.length === 0) throw new Error('the subscription was stored by another job')
  const now = deps.clock()
  await addOwnersSeat(tx, { subscriptionId: id, memberId, now })
  await recordProvider(tx, memberId, { action: 'subscription.created', target: id, details: { after }, now })
  await publish(deps, tx, { id, after, changed: Object.keys(after) })
}

interface Change {
  before: SubscriptionRow
  after: Projection
  syncNumber: number
}

async function change(deps: Needs, tx: Tx, { before, after, syncNumber }: Change): Promise<void> {
  const { id, memberId } = before
  const changed = differences(before, after)
  await tx
    .update(subscriptions)
    .set({ ...after, syncNumber })
    .where(eq(subscriptions.id, id))
  if (changed.length === 0) return
  const pick = (values: Partial<Projection>) => Object.fromEntries(changed.map((name) => [name, values[name] ?? null]))
  const details = { before: pick(before), after: pick(after) }
  await recordProvider(tx, memberId, { action: 'subscription.changed', target: id, details, now: deps.clock() })
  await publish(deps, tx, { id, after, changed })
}

function publish(deps: Needs, tx: Tx, { id, after, changed }: { id: string; after: Projection; changed: string[] }) {
  const { status, productCode, userCount, periodEnd, cancelAt, endedAt } = after
  const data = { subscriptionId: id, changed, status, productCode, userCount, periodEnd, cancelAt, endedAt }
  return deps.publish(tx, { type: 'subscription.changed', data, now: deps.clock() })
}
