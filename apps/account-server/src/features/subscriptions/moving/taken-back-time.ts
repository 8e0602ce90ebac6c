import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { lastPaymentUntil, takenBackPayments } from '../../orders/orders.queries.ts'
import { lastOperationAbout } from '../../payments/operations/operations.queries.ts'
import type { Unmatched } from '../../payments/unmatched/unmatched.writes.ts'
import { differences } from '../projection.rules.ts'
import { hasEnded } from '../subscription-flags.rules.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { Beginning } from './continuing.input.ts'
import { movedObjects } from './moved-objects.tables.ts'

/** A payment of a subscription. */
export interface PaidOnce {
  /** PayPal's. */
  id: string
  at: Date
  /** Whether it was given or taken back wholly. */
  isTakenBack: boolean
}

interface EndDeps extends Pick<Deps, 'clock' | 'logger'> {
  announce(
    tx: Tx,
    change: { id: string; before: SubscriptionRow; after: SubscriptionRow; changed: readonly string[] },
  ): Promise<void>
}

interface Moved {
  /** What stood for it before the transfer. */
  providerId: string
  movedAt: Date
  /** Oldest first. */
  paid: readonly PaidOnce[]
}

/**
 * The time that a transfer has moved ends, under the row's lock, once the payment on which it rests was given or taken back, as it would
 * have without the transfer.
 * @returns what the operator has to decide: a card goes on with it
 */
export async function endTakenBack(tx: Tx, deps: EndDeps, { providerId, movedAt, paid }: Moved) {
  const row = paid.some(({ isTakenBack }) => isTakenBack) ? await lockMoved(tx, providerId) : undefined
  if (!row || hasEnded(row.status)) return undefined
  if (row.providerId !== null) {
    const isOfMoved = paid.findLast(({ at }) => at <= movedAt)?.isTakenBack
    return isOfMoved ? taintedOf(tx, deps, { row, objectId: providerId, ...ofPaypal }) : undefined
  }
  if (paid.some(({ id, isTakenBack }) => isTakenBack && id === row.paidBy)) await endMoved(tx, deps, row)
  return undefined
}

const ofPaypal = { provider: 'paypal', kind: 'subscription' } as const

/** A provider ends it some time after the moment that it names. */
const lateMs = 3_600_000

interface Withdrawn extends Omit<Moved, 'paid'> {
  /** Null: it has not ended. */
  endedAt: Date | null
}

/**
 * The same of the card provider's: the vendor has ended it before its time, and given all of that back. An end alone takes nothing that was
 * paid, as the one with which the customer before is deleted.
 * @returns what the operator has to decide: a card goes on with it
 */
export async function endWithdrawn(tx: Tx, deps: EndDeps, { providerId, movedAt, endedAt }: Withdrawn) {
  const row = endedAt ? await lockMoved(tx, providerId) : undefined
  const { periodEnd } = row ?? {}
  if (!row || !endedAt || !periodEnd || hasEnded(row.status)) return undefined
  if (endedAt.getTime() > periodEnd.getTime() - lateMs) return undefined
  // A card of the Owner since has paid for another time.
  if (row.providerId !== null && !(await isUncharged(tx, row, deps.clock()))) return undefined
  const paid = await lastPaymentUntil(tx, { providerSubscriptionId: providerId, until: movedAt })
  if (!paid || !(await takenBackPayments(tx, [paid])).has(paid)) return undefined
  if (row.providerId !== null)
    return taintedOf(tx, deps, { row, objectId: providerId, provider: 'card', kind: 'subscription' })
  await endMoved(tx, deps, row)
  return undefined
}

async function endMoved(tx: Tx, deps: EndDeps, row: SubscriptionRow): Promise<void> {
  const now = deps.clock()
  await changeMoved(tx, deps, row, {
    ...{ status: 'canceled', endedAt: now, autoRenew: false },
    // It was not paid, as of now: that is why it ends, whatever was chosen before.
    ...{ pastDueSince: now, cancelAt: null, paidUntil: null },
    // Nothing is left that could be turned on again.
    providerItems: [],
  })
}

interface Tainted {
  row: SubscriptionRow
  provider: 'card' | 'paypal'
  /** The provider's. */
  objectId: string
  kind: 'subscription' | 'payment'
}

/** What a card has continued before its first charge, while what was paid before that is gone; undefined: the card has paid since. */
export async function taintedOf(
  tx: Tx,
  { clock, logger }: Pick<EndDeps, 'clock' | 'logger'>,
  { row: { id, memberId }, provider, objectId, kind }: Tainted,
): Promise<Unmatched | undefined> {
  const now = clock()
  if (!(await isUncharged(tx, { id, memberId }, now))) return undefined
  logger.error({ subscriptionId: id, objectId }, 'what was paid before a transfer is gone, and a card goes on with it')
  const whose = { memberId, isProven: false }
  return {
    ...{ provider, kind, objectId, ...whose },
    ...{ reason: 'taken_back_after_transfer', boughtAt: now, createdAt: now },
  }
}

/** Whether a card goes on with what was transferred, and is charged later. */
async function isUncharged(tx: Tx, row: Pick<SubscriptionRow, 'id' | 'memberId'>, now: Date): Promise<boolean> {
  const about = { kind: 'subscription.continue_moved', subject: row.id } as const
  const input = Beginning.safeParse((await lastOperationAbout(tx, { id: row.memberId }, about))?.input).data
  return input !== undefined && new Date(input.from) > now
}

/** The row that a provider's subscription stood for before a transfer. */
export async function lockMoved(tx: Tx, providerId: string): Promise<SubscriptionRow | undefined> {
  const isOfIt = eq(movedObjects.providerId, providerId)
  const [moved] = await tx.select({ id: movedObjects.subscriptionId }).from(movedObjects).where(isOfIt)
  if (!moved) return undefined
  const [row] = await tx.select().from(subscriptions).where(eq(subscriptions.id, moved.id)).for('update')
  return row
}

/** Its Owner and the vendor's systems are told. */
export async function changeMoved(
  tx: Tx,
  deps: Pick<EndDeps, 'clock' | 'announce'>,
  before: SubscriptionRow,
  values: Partial<SubscriptionRow>,
): Promise<void> {
  const { id, memberId } = before
  const after = { ...before, ...values }
  const changed = differences(before, after)
  await tx.update(subscriptions).set(values).where(eq(subscriptions.id, id))
  const pick = (row: SubscriptionRow) => Object.fromEntries(changed.map((name) => [name, row[name]]))
  const details = { productCode: after.productCode, before: pick(before), after: pick(after) }
  await recordProvider(tx, memberId, { action: 'subscription.changed', target: id, details, now: deps.clock() })
  await deps.announce(tx, { id, before, after, changed })
}
