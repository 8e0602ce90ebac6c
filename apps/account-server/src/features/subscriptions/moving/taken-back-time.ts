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
import { isPaidByOthers } from './moving.queries.ts'

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
 * @returns what the operator has to decide: an Owner since pays for it, or is going to
 */
export async function endTakenBack(tx: Tx, deps: EndDeps, { providerId, movedAt, paid }: Moved) {
  const row = paid.some(({ isTakenBack }) => isTakenBack) ? await lockMoved(tx, providerId) : undefined
  if (!row || hasEnded(row.status)) return undefined
  const ofRow = paid.find(({ id }) => id === row.paidBy)
  const last = row.providerId === null ? ofRow : paid.findLast(({ at }) => at <= movedAt)
  if (!last?.isTakenBack) return undefined
  const time = { row, providerId, until: ofRow && row.periodEnd }
  if (await isPaidBeside(tx, time, deps.clock())) return undecided(deps, { ...ofPaypal, objectId: providerId, row })
  if (row.providerId === null) await endMoved(tx, deps, row)
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
 * @returns what the operator has to decide: an Owner since pays for it, or is going to
 */
export async function endWithdrawn(tx: Tx, deps: EndDeps, { providerId, paidTime }: Withdrawn) {
  const row = paidTime ? await lockMoved(tx, providerId) : undefined
  if (!row?.periodEnd || !paidTime || hasEnded(row.status)) return undefined
  const { until, keptUntil } = paidTime
  const end = row.periodEnd.getTime()
  // Less than a day is not worth a word.
  if (Math.min(end, until.getTime()) < keptUntil.getTime() + dayMs) return undefined
  if (await isPaidBeside(tx, { row, providerId, until }, deps.clock()))
    return undecided(deps, { provider: 'card', kind: 'subscription', objectId: providerId, row })
  // A card of an Owner since has paid for another time, without a credit for this one.
  if (row.providerId !== null || end > until.getTime() + dayMs) return undefined
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

interface MovedTime {
  row: Pick<SubscriptionRow, 'id' | 'memberId' | 'providerId'>
  /** What stood for it before the transfer. */
  providerId: string
  /** When it ends; left out: unknown. */
  until?: Date | null | undefined
}

/**
 * Whether what was paid for it before a transfer is not all that an Owner relies on: a card goes on with it and is charged later, or
 * somebody else has paid for the same time, or with a credit for it.
 */
export async function isPaidBeside(tx: Tx, { row, providerId, until }: MovedTime, now: Date): Promise<boolean> {
  if (row.providerId !== null && (await isUncharged(tx, row, now))) return true
  return until ? isPaidByOthers(tx, { row, providerId, until }) : false
}

interface Undecided extends Pick<Unmatched, 'provider' | 'kind' | 'objectId'> {
  row: Pick<SubscriptionRow, 'id' | 'memberId'>
}

/** What waits for the operator: nobody loses by itself what they have paid for. */
export function undecided(
  { clock, logger }: Pick<EndDeps, 'clock' | 'logger'>,
  { row: { id, memberId }, ...object }: Undecided,
): Unmatched {
  const now = clock()
  const facts = { subscriptionId: id, objectId: object.objectId }
  logger.error(
    facts,
    'what was paid before a transfer is gone, and an Owner since pays for it, or a card goes on with it',
  )
  const whose = { memberId, isProven: false }
  return { ...object, ...whose, reason: 'taken_back_after_transfer', boughtAt: now, createdAt: now }
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
