import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { recordProvider } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { differences, type Projection } from './projection.rules.ts'
import { addOwnersSeat } from './seats.writes.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

/** Higher nouns follow a new subscription: it has a license. */
export const subscriptionCreatedQueue = 'subscriptions.created'

export interface SubscriptionCreated {
  subscriptionId: string
}

export interface ProjectionDeps extends Pick<Deps, 'db' | 'clock' | 'logger'> {
  jobs: Pick<Deps['jobs'], 'send'>
  publish(tx: Tx, happening: Parameters<typeof publishEvent>[2]): Promise<void>
  /** A price that the catalog does not know: the vendor is told, and it is shown as what the provider calls it. */
  reportUnknownPrice(facts: UnknownPrice): void
}

interface UnknownPrice {
  subscriptionId: string
  priceId: string
  productId: string
}

/** For what a webhook tells: with events, and unknown prices as errors in the log. */
export function liveProjection(deps: Deps): ProjectionDeps {
  return {
    ...deps,
    publish: publishEvent.bind(undefined, deps),
    reportUnknownPrice: (facts) => deps.logger.error(facts, 'a price that the catalog does not know'),
  }
}

/** For a take-over: nothing happened now, so there are no events; the person who runs it reads what is unknown. */
export function takeOverProjection(
  deps: Pick<Deps, 'db' | 'clock' | 'logger'>,
  reportUnknownPrice: ProjectionDeps['reportUnknownPrice'],
): ProjectionDeps {
  return { ...deps, publish: async () => undefined, jobs: { send: async () => undefined }, reportUnknownPrice }
}

/** What a provider has, read under a number of `syncNumbers`. */
export interface Reading {
  providerId: string
  channel: 'card' | 'paypal'
  /** Whose it is, if it is new here; undefined: nobody is found. */
  memberId: string | undefined
  syncNumber: number
  /** It was never paid: a new one is not stored. */
  isUnpaidStart: boolean
  /** The row's columns, from what the provider has and what was stored. */
  projection(before: SubscriptionRow | undefined): Projection | undefined
}

/** Stores what a provider has, under the row's lock, unless a later reading is stored already. */
export async function applyReading(deps: ProjectionDeps, reading: Reading): Promise<'done' | 'no_member'> {
  for (;;) {
    const outcome = await deps.db.transaction((tx) => apply(deps, tx, reading))
    // Somebody else has stored it meanwhile: now it is changed.
    if (outcome !== 'stored_meanwhile') return outcome
  }
}

async function apply(
  deps: ProjectionDeps,
  tx: Tx,
  reading: Reading,
): Promise<'done' | 'no_member' | 'stored_meanwhile'> {
  const { providerId, memberId, syncNumber } = reading
  const [before] = await tx.select().from(subscriptions).where(eq(subscriptions.providerId, providerId)).for('update')
  if (!before && !memberId) return 'no_member'
  if (before ? before.syncNumber > syncNumber : reading.isUnpaidStart) return 'done'
  const after = reading.projection(before)
  if (!after) return 'done'
  if (before) await change(deps, tx, { before, after, syncNumber })
  else if (memberId) return create(deps, tx, { ...reading, after, memberId })
  return 'done'
}

interface Creation extends Pick<Reading, 'providerId' | 'channel' | 'syncNumber'> {
  after: Projection
  memberId: string
}

async function create(deps: ProjectionDeps, tx: Tx, creation: Creation): Promise<'done' | 'stored_meanwhile'> {
  const { after, syncNumber, memberId, channel, providerId: id } = creation
  const row = { id, providerId: id, memberId, origin: 'online', channel, orgCode: '', syncNumber } as const
  const made = await tx
    .insert(subscriptions)
    .values({ ...row, ...after })
    .onConflictDoNothing()
    .returning({ id: subscriptions.id })
  if (made.length === 0) return 'stored_meanwhile'
  const now = deps.clock()
  const created: SubscriptionCreated = { subscriptionId: id }
  await deps.jobs.send(tx, subscriptionCreatedQueue, created, id)
  await addOwnersSeat(tx, { subscriptionId: id, memberId, now })
  await recordProvider(tx, memberId, { action: 'subscription.created', target: id, details: { after }, now })
  await publish(deps, tx, { id, after, changed: Object.keys(after) })
  return 'done'
}

interface Change {
  before: SubscriptionRow
  after: Projection
  syncNumber: number
}

async function change(deps: ProjectionDeps, tx: Tx, { before, after, syncNumber }: Change): Promise<void> {
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

function publish(
  deps: ProjectionDeps,
  tx: Tx,
  { id, after, changed }: { id: string; after: Projection; changed: string[] },
) {
  const { status, productCode, userCount, periodEnd, cancelAt, endedAt } = after
  const data = { subscriptionId: id, changed, status, productCode, userCount, periodEnd, cancelAt, endedAt }
  return deps.publish(tx, { type: 'subscription.changed', data, now: deps.clock() })
}
