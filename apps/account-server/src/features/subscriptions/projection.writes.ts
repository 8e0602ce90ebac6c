import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull, or, type SQL } from 'drizzle-orm'
import { ownerRowOf } from '../../db/nobody.queries.ts'
import type { Deps } from '../../deps.ts'
import type { PaidCard } from '../../outside/billed-invoice.ts'
import type { Payer } from '../../outside/card-provider/payer.ts'
import { record, recordProvider } from '../activity/activity.writes.ts'
import type { Owner } from '../payments/customers/customer-claims.queries.ts'
import type { LinkProof } from '../payments/customers/link-proofs.rules.ts'
import { ownerNow } from '../payments/customers/owner-now.queries.ts'
import { openOperationOn } from '../payments/operations/operations.queries.ts'
import type { OperationRow } from '../payments/operations/operations.tables.ts'
import {
  forgetTransferred,
  forgetUnmatched,
  forgetUnowned,
  forgetWithheld,
  storeUnmatched,
} from '../payments/unmatched/unmatched.writes.ts'
import { type DeclinedOrder, markDueOrders, withUnsettled } from './due-orders.writes.ts'
import { isGranting, waitsForNobody, withoutPerson } from './erased-owners.ts'
import { markHiddenOrders } from './hidden-orders.writes.ts'
import { lateIncreasesAfter } from './late-increases.rules.ts'
import { type MovedFrom, movedFrom } from './moving/moving.queries.ts'
import { endTakenBack, endWithdrawn } from './moving/taken-back-time.ts'
import { storeLeft } from './ownership/leave-to-nobody.writes.ts'
import { differences, type Projection } from './projection.rules.ts'
import type { Applied, Reading } from './reading.ts'
import { addOwnersSeat } from './seats.writes.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

/** Higher nouns follow a subscription that is new, or of another product: it has a license. */
export const subscriptionCreatedQueue = 'subscriptions.created'

export interface SubscriptionCreated {
  subscriptionId: string
}

/** What a reading changed. */
export interface SubscriptionChange {
  id: string
  /** Undefined if it is new here. */
  before: Projection | undefined
  after: Projection
  /** Names of the fields that differ. */
  changed: readonly string[]
  /** The card whose payment has failed, for the email: it is not stored. */
  declinedCard?: PaidCard | undefined
  /** What pays for it, for the same email. */
  payer?: Payer | undefined
  /** What a file has brought is read at its provider for the first time. */
  isFirstReading?: true
}

export interface ProjectionDeps extends Pick<Deps, 'db' | 'clock' | 'logger'> {
  config: Pick<Deps['config'], 'PAST_DUE_DAYS'>
  jobs: Deps['jobs']
  /** Tells others of a change, in its transaction. A take-over tells nobody, except who owes something since. */
  announce(tx: Tx, change: SubscriptionChange): Promise<void>
  /** The same of an order that was declined while its subscription goes on. */
  announceDeclined(tx: Tx, order: DeclinedOrder): Promise<void>
  /** A price that the catalog does not know: the vendor is told, and it is shown as what the provider calls it. */
  reportUnknownPrice(facts: { subscriptionId: string; priceId: string; productId: string }): void
}

/**
 * Stores what a provider has, under the row's lock, unless a later reading is stored already.
 * @param read what it has; called again if something of it is known otherwise meanwhile
 */
export async function applyReading(deps: ProjectionDeps, read: () => Promise<Reading>): Promise<Applied> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    const reading = { ...(await read()), isReadAgain: tries > 0 }
    const outcome = await deps.db.transaction((tx) => applyReadingIn(tx, deps, reading))
    // Somebody else has stored it meanwhile, and it is changed now, or it has become somebody else's.
    if (outcome !== 'stored_meanwhile' && outcome !== 'given_meanwhile') return outcome
  }
  throw new Error('the subscription is stored and removed by others')
}

/** A second one finds what another job has stored. */
const mostTries = 3

/** The same in the transaction of an operation. */
export async function applyReadingIn(
  tx: Tx,
  deps: ProjectionDeps,
  reading: Reading,
): Promise<Applied | 'stored_meanwhile' | 'given_meanwhile'> {
  const { providerId, customerId, syncNumber, channel: provider } = reading
  const [before] = await tx.select().from(subscriptions).where(isAbout(reading)).for('update')
  // Asked under the lock: a transfer may have waited for it, or this for the transfer.
  const moved = await movedFrom(tx, providerId)
  if (moved) return applyMoved(tx, deps, reading, moved)
  const bought = { provider, objectId: providerId, customerId: customerId ?? '' }
  const owner = before ? reading.owner : await ownerNow(tx, reading.owner, bought)
  // What it belongs to, and what waits, was read for whoever it was: it may be nobody's by now, too.
  const isOthersNow = owner?.memberId !== reading.owner?.memberId
  if (!before && isOthersNow && !reading.isReadAgain) return 'given_meanwhile'
  if (!before && !owner) {
    if (reading.unmatched) await storeUnmatched(tx, reading.unmatched)
    else await forgetUnowned(tx, { provider, objectId: providerId })
    return 'no_member'
  }
  if (before && before.syncNumber > syncNumber) return 'outdated'
  const now = deps.clock()
  const has = before && (await ownerRowOf(tx, before.memberId))
  if (before && has?.isErasedPerson && (await waitsForNobody(tx, { reading, before, now }))) return 'no_member'
  if (!before && reading.isUnpaidStart) {
    // What waited was given back.
    await forgetWithheld(tx, { provider, objectId: providerId })
    return 'done'
  }
  const withheld = reading.withheld?.(before)
  const waiting = withheld ?? reading.waitsBeside?.(before)
  if (waiting) await storeUnmatched(tx, waiting)
  const open = before && (await openOperationOn(tx, providerId))
  // While an order waits at PayPal, what PayPal does is its own doing.
  const asked = open?.kind === 'subscription.change_by_order' && !reading.isGrant ? undefined : open
  const memberId = before?.memberId ?? owner?.memberId ?? ''
  const projected = await reading.projection(before, asked, { tx, memberId })
  if (!before && withheld && !isGranting(projected)) return withheld.reason
  if (!projected) return 'done'
  const after = before ? await withUnsettled(tx, before, projected) : projected
  const read = { ...reading, after, asked }
  if (before) await change(deps, tx, { ...(has?.isErasedPerson ? withoutPerson(read) : read), before })
  // What had ended when its Owner was erased is listed once it can be used again.
  if (before && has?.isNobody && !waiting && isGranting(after)) await storeLeft(tx, before, { now })
  if (!before && owner && !(await create(deps, tx, { ...reading, after, owner }))) return 'stored_meanwhile'
  if (!before && !waiting) await forgetUnmatched(tx, { provider, objectId: providerId })
  else if (reading.withheld && !waiting) await forgetWithheld(tx, { provider, objectId: providerId })
  await markHiddenOrders(tx, [before?.id ?? providerId])
  for (const order of await markDueOrders(tx, providerId)) await deps.announceDeclined(tx, order)
  return withheld?.reason ?? 'done'
}

/** One that a file brought under the provider's id is the same, and is the provider's from now on. */
function isAbout({ providerId, owner, continues }: Reading): SQL | undefined {
  const { id, providerId: stored, memberId } = subscriptions
  const isContinued =
    continues && owner ? and(eq(id, continues), isNull(stored), eq(memberId, owner.memberId)) : undefined
  return or(eq(stored, providerId), eq(id, providerId), isContinued)
}

/**
 * The subscription that it stood for has another Owner since: what is paid for it now is to be given back, and what was paid before and is
 * given back ends there, too. Nothing else changes anything.
 */
async function applyMoved(tx: Tx, deps: ProjectionDeps, reading: Reading, moved: MovedFrom): Promise<Applied> {
  const { providerId, channel: provider } = reading
  const { paid: payments = [], withdrawn } = reading
  const tainted = await (provider === 'paypal'
    ? endTakenBack(tx, deps, { providerId, movedAt: moved.movedAt, paid: payments })
    : endWithdrawn(tx, deps, { providerId, withdrawn }))
  const paid = reading.paidSince?.(moved)
  const waits = paid ?? tainted
  if (waits) await storeUnmatched(tx, waits)
  else await forgetTransferred(tx, { provider, objectId: providerId })
  return paid ? 'transferred' : 'done'
}

type Facts = Pick<
  Reading,
  'providerId' | 'channel' | 'customerId' | 'ownProof' | 'syncNumber' | 'declinedCard' | 'payer'
>

interface Creation extends Facts {
  after: Projection
  owner: Owner
}

/** @returns whether nobody else has stored it meanwhile */
async function create(deps: ProjectionDeps, tx: Tx, creation: Creation): Promise<boolean> {
  const { after, syncNumber, owner, channel, customerId, ownProof, declinedCard, payer, providerId: id } = creation
  const { memberId } = owner
  const ofCustomer = owner.proof === 'address' || owner.isPartlyProven ? 'address' : null
  const link = { customerId, proof: channel === 'paypal' ? owner.proof : (ownProof ?? ofCustomer) }
  const row = { id, providerId: id, memberId, origin: 'online', channel, ...link, orgCode: '', syncNumber } as const
  const made = await tx
    .insert(subscriptions)
    .values({ ...row, ...after, ...payingCardOf(payer) })
    .onConflictDoNothing()
    .returning({ id: subscriptions.id })
  if (made.length === 0) return false
  const now = deps.clock()
  const created: SubscriptionCreated = { subscriptionId: id }
  await deps.jobs.send(tx, subscriptionCreatedQueue, created, id)
  await addOwnersSeat(tx, { subscriptionId: id, memberId, now })
  await recordProvider(tx, memberId, {
    action: 'subscription.created',
    target: id,
    details: { productCode: after.productCode, after },
    now,
  })
  await deps.announce(tx, { id, before: undefined, after, changed: Object.keys(after), declinedCard, payer })
  return true
}

interface Change extends Facts {
  owner: Owner | undefined
  before: SubscriptionRow
  after: Projection
  asked: OperationRow | undefined
}

/** A file that named it is the vendor's word; what is known by an address alone takes a better proof of its Owner. */
function proofOf(before: SubscriptionRow, { channel, owner, ownProof }: Proving): LinkProof | null {
  const isOwners = owner?.memberId === before.memberId
  if (channel !== 'paypal') return (isOwners && ownProof) || before.proof
  const stored = before.proof ?? 'vendor'
  return stored === 'address' && isOwners ? owner.proof : stored
}

type Proving = Pick<Change, 'channel' | 'owner' | 'ownProof'>

/** What was not read stays as it was. */
function payingCardOf(payer: Payer | undefined): Partial<Pick<SubscriptionRow, 'payingCard'>> {
  if (!payer) return {}
  if (payer.is !== 'card') return { payingCard: null }
  const { is: _, ...payingCard } = payer
  return { payingCard }
}

async function change(deps: ProjectionDeps, tx: Tx, { before, after, asked, ...reading }: Change): Promise<void> {
  const { id, memberId } = before
  const { providerId, channel, customerId, syncNumber, declinedCard, payer } = reading
  const link = { providerId, channel, customerId, proof: proofOf(before, reading), ...payingCardOf(payer) }
  const changed = differences(before, after)
  const days = { pastDueDays: deps.config.PAST_DUE_DAYS, now: deps.clock() }
  const lateIncreases = lateIncreasesAfter(before, after, days)
  await tx
    .update(subscriptions)
    .set({ ...after, ...link, lateIncreases, origin: 'online', syncNumber })
    .where(eq(subscriptions.id, id))
  // What a file brought is billed from now on, or the vendor has put another product in its place.
  if (before.providerId === null || before.productCode !== after.productCode) {
    await deps.jobs.send(tx, subscriptionCreatedQueue, { subscriptionId: id } satisfies SubscriptionCreated, id)
  }
  if (changed.length === 0) return
  const pick = (values: Partial<Projection>) => Object.fromEntries(changed.map((name) => [name, values[name] ?? null]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  const happening = { action: 'subscription.changed' as const, target: id, details, now: deps.clock() }
  // Whoever hears of it first: it is what the customer asked for.
  if (asked) await record(tx, { ...asked, id: asked.memberId }, happening)
  else await recordProvider(tx, memberId, happening)
  const isFirst = before.providerId === null && { isFirstReading: true as const }
  await deps.announce(tx, { id, before, after, changed, declinedCard, payer, ...isFirst })
}
