import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import type { PaidTime } from '../../../outside/card-provider/paid-time.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
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

interface Withdrawn {
  /** What stood for it before the transfer. */
  providerId: string
  /** What was paid of the time that is left; undefined: nothing, or the vendor has not ended it. */
  paidTime: PaidTime | undefined
}

const dayMs = 86_400_000

/**
 * The same of the card provider's: the vendor has ended it before its time, and given back what was paid for that, or a part of it. It lasts
 * as long as the rest pays. An end alone takes nothing that was paid, as the one with which the customer before is deleted.
 * @returns what the operator has to decide: a card goes on with it
 */
export async function endWithdrawn(tx: Tx, deps: EndDeps, { providerId, paidTime }: Withdrawn) {
  const row = paidTime ? await lockMoved(tx, providerId) : undefined
  if (!row?.periodEnd || !paidTime || hasEnded(row.status)) return undefined
  const { until, keptUntil } = paidTime
  const end = row.periodEnd.getTime()
  // A card of an Owner since has paid for another time.
  if (end > until.getTime() + dayMs) return undefined
  // Less than a day is not worth a word.
  if (end < keptUntil.getTime() + dayMs) return undefined
  if (row.providerId !== null)
    return taintedOf(tx, deps, { row, objectId: providerId, provider: 'card', kind: 'subscription' })
  if (keptUntil.getTime() < deps.clock().getTime() + dayMs) await endMoved(tx, deps, row)
  else await changeMoved(tx, deps, row, endingAt(row, keptUntil))
  return undefined
}

function endingAt({ cancelAt, endedAt }: SubscriptionRow, end: Date): Partial<SubscriptionRow> {
  return { periodEnd: end, ...(cancelAt && { cancelAt: end }), ...(endedAt && { endedAt: end }) }
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
