import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { recordProvider } from '../../activity/activity.writes.ts'
import { lastOperationAbout } from '../../payments/operations/operations.queries.ts'
import { isAccepted } from '../../payments/unmatched/unmatched.queries.ts'
import { forgetTakenBack, type Unmatched } from '../../payments/unmatched/unmatched.writes.ts'
import type { DecidedPayment } from '../paypal-payments.tables.ts'
import { differences } from '../projection.rules.ts'
import { hasEnded } from '../subscription-flags.rules.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { Beginning } from './continuing.input.ts'
import { lastPaidTime, type PaidTime } from './kept-time.rules.ts'
import { movedObjects } from './moved-objects.tables.ts'
import { type OrderedPayment, objectsOf, paymentsOf } from './moving.queries.ts'
import type { WithdrawnTime } from './withdrawn-time.ts'

/** A payment of a subscription. */
export interface PaidOnce {
  /** PayPal's. */
  id: string
  at: Date
  /** For what it was. */
  purpose: DecidedPayment['purpose'] | undefined
  /** Whether it was given or taken back wholly. */
  isTakenBack: boolean
}

export interface EndDeps extends Pick<Deps, 'clock' | 'logger'> {
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
 * have without the transfer; where others have paid for it, too, as much of it as that payment has paid.
 * @returns what the operator has to decide: an Owner since pays for it, or is going to
 */
export async function endTakenBack(tx: Tx, deps: EndDeps, { providerId, movedAt, paid }: Moved) {
  const row = paid.some(({ isTakenBack }) => isTakenBack) ? await lockMoved(tx, providerId) : undefined
  if (!row || hasEnded(row.status)) return undefined
  const ofRow = paidFor(row, paid)
  const last = row.providerId === null ? ofRow : paid.findLast(({ at }) => at <= movedAt)
  if (!last?.isTakenBack) return undefined
  const object = { ...ofPaypal, objectId: providerId }
  const time = ofRow ? await timePaidBeside(tx, deps, { row, providerId }) : 'nobody'
  if (time !== 'nobody') {
    const isOrdered =
      time !== 'unknown' && time.payments.some(({ objectId, refunded }) => objectId === providerId && refunded > 0)
    return isOrdered ? endUnkept(tx, deps, { row, time, object }) : undecided(deps, { ...object, row })
  }
  if (row.providerId === null) await endMoved(tx, deps, row)
  else if (await isUncharged(tx, row, deps.clock())) return undecided(deps, { ...object, row })
  return undefined
}

/** The payment on which the time of a row rests: that of its cycle, or of its trial, which ends with its setup fee, too. */
function paidFor({ paidBy, trialEnd }: SubscriptionRow, paid: readonly PaidOnce[]): PaidOnce | undefined {
  if (paidBy !== null || trialEnd === null) return paid.find(({ id }) => id === paidBy)
  const fee = paid.find(({ purpose, isTakenBack }) => purpose === 'fee' && isTakenBack)
  return fee ?? paid.findLast(({ purpose }) => purpose === 'trial')
}

const ofPaypal = { provider: 'paypal', kind: 'subscription' } as const

interface Withdrawn {
  /** What stood for it before the transfer. */
  providerId: string
  withdrawn: WithdrawnTime | undefined
}

/**
 * The same of the card provider's: the vendor has ended it before its time, and given back what was paid for that, or a part of it. It lasts
 * as long as the rest pays. An end alone takes nothing that was paid, as the one with which the customer before is deleted.
 * @returns what the operator has to decide: an Owner since pays for it, or is going to
 */
export async function endWithdrawn(tx: Tx, deps: EndDeps, { providerId, withdrawn }: Withdrawn) {
  const row = withdrawn ? await lockMoved(tx, providerId) : undefined
  if (!row || !withdrawn || hasEnded(row.status)) return undefined
  const isElsewhere = ({ objectId }: { objectId: string }) => !withdrawn.objects.includes(objectId)
  const ordered = await paymentsOf(tx, row, withdrawn.after)
  const untimed = ordered.untimed.filter(isElsewhere)
  const payments = [...withdrawn.payments, ...ordered.payments.filter(isElsewhere)]
  const object = { provider: 'card', kind: 'subscription', objectId: providerId } as const
  const isTakenBack = [...payments, ...untimed].some(({ refunded }) => refunded > 0)
  if (untimed.length > 0) return isTakenBack ? undecided(deps, { ...object, row }) : undefined
  const time = lastPaidTime(payments)
  return time && endUnkept(tx, deps, { row, time, object })
}

/**
 * The last time that was paid for what was moved, if others have paid for it beside one of the provider's subscriptions that stood for it.
 * @returns `unknown`: an order does not say for what time it was
 */
export async function timePaidBeside(
  tx: Tx,
  { clock }: Pick<EndDeps, 'clock'>,
  { row, providerId }: { row: SubscriptionRow; providerId: string },
): Promise<PaidTime<OrderedPayment> | 'nobody' | 'unknown'> {
  const { payments, untimed } = await paymentsOf(tx, row, clock())
  const isOthers = ({ objectId }: { objectId: string }) => objectId !== providerId
  const time = lastPaidTime(payments)
  const isPaidBeside = time?.payments.some(isOthers) === true
  if (untimed.some(isOthers) || (isPaidBeside && untimed.length > 0)) return 'unknown'
  return time && isPaidBeside ? time : 'nobody'
}

const dayMs = 86_400_000
const reason = 'taken_back_after_transfer'

interface Unkept {
  row: SubscriptionRow
  time: PaidTime
  /** Of which something was given or taken back. */
  object: Pick<Unmatched, 'provider' | 'kind' | 'objectId'>
}

/**
 * What was transferred lasts as long as what was kept of all that was paid for it pays, unless the operator has said that it stays as it is.
 * @returns what the operator has to decide: a card of its Owner goes on with it
 */
export async function endUnkept(tx: Tx, deps: EndDeps, { row, time, object }: Unkept) {
  const { payments, until, keptUntil } = time
  const end = row.periodEnd?.getTime()
  if (end === undefined) return undefined
  if (end + dayMs < keptUntil.getTime()) {
    const facts = { subscriptionId: row.id, objectId: object.objectId, end: row.periodEnd, keptUntil }
    deps.logger.error(
      facts,
      'what was transferred ends before the time that is paid, as after a refund that has failed',
    )
  }
  // Less than a day is not worth a word.
  if (Math.min(end, until.getTime()) < keptUntil.getTime() + dayMs) return undefined
  const amount = payments.reduce((sum, payment) => sum + payment.amount - payment.refunded, 0)
  const isLeft = await isAccepted(tx, { ...object, reason, amount })
  if (row.providerId !== null || isLeft) return undecided(deps, { ...object, row, amount, currency: row.currency })
  // Something else has paid for another time.
  if (end > until.getTime() + dayMs) return undefined
  if (keptUntil.getTime() < deps.clock().getTime() + dayMs) await endMoved(tx, deps, row)
  else await changeMoved(tx, deps, row, endingAt(row, keptUntil))
  // What has waited, since a card went on with it then, is settled with it.
  await forgetTakenBack(tx, await objectsOf(tx, row.id))
  return undefined
}

function endingAt({ cancelAt, endedAt }: SubscriptionRow, end: Date): Partial<SubscriptionRow> {
  const sooner = (date: Date) => (date < end ? date : end)
  return {
    periodEnd: end,
    ...(cancelAt && { cancelAt: sooner(cancelAt) }),
    ...(endedAt && { endedAt: sooner(endedAt) }),
  }
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

interface Undecided extends Pick<Unmatched, 'provider' | 'kind' | 'objectId' | 'amount' | 'currency'> {
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
  return { ...object, ...whose, reason, boughtAt: now, createdAt: now }
}

/** Whether a card goes on with what was transferred, and is charged later. */
export async function isUncharged(tx: Tx, row: Pick<SubscriptionRow, 'id' | 'memberId'>, now: Date): Promise<boolean> {
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
