import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { recordSystem } from '../../activity/activity.writes.ts'
import { publishEvent } from '../../events/events.writes.ts'
import { emailOwner } from '../subscription-emails.writes.ts'
import { subscriptionNotices } from '../subscription-notices.tables.ts'
import { type ProviderItem, type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { movedObjects } from './moved-objects.tables.ts'
import { billedId, isBilledAgain, movedEnd } from './moving.rules.ts'

interface Move {
  row: SubscriptionRow
  /** The new Owner's id. */
  memberId: string
  /** Whether a card of the new Owner pays for what follows. */
  goesOn: boolean
  /** What such a card pays for, or would if auto-renewal is turned on later (`itemsToContinue`). */
  items: readonly ProviderItem[]
  /** Whether there would be such items if the new Owner were not billed in another currency. */
  isOtherCurrency: boolean
  now: Date
}

/**
 * Gives a locked subscription another Owner. What a provider bills for it stays the old Owner's, and stands for nothing here any more;
 * until another one does, it can be used, and cannot be changed.
 */
export async function moveSubscription(tx: Tx, move: Move): Promise<void> {
  const { row, memberId, goesOn, items, isOtherCurrency, now } = move
  const { id: subscriptionId, customerId } = row
  const providerId = billedId(row)
  if (providerId === null) {
    await tx.update(subscriptions).set(movedUnbilled(move)).where(eq(subscriptions.id, subscriptionId))
    return
  }
  const end = movedEnd(row)
  // What the vendor's own shop bills keeps its number, with each transfer.
  const from = { memberId: row.memberId, movedAt: now }
  await tx
    .insert(movedObjects)
    .values({ providerId, subscriptionId, customerId, ...from })
    .onConflictDoUpdate({ target: movedObjects.providerId, set: from })
  // Reminded was the Owner before.
  const { subscriptionId: reminded, kind } = subscriptionNotices
  const ofCharge = inArray(kind, ['trial-end-in-7-days', 'renewal-in-30-days', 'renewal-in-7-days'])
  await tx.delete(subscriptionNotices).where(and(eq(reminded, subscriptionId), ofCharge))
  await tx
    .update(subscriptions)
    .set({
      memberId,
      providerId: null,
      // Of the Owner before.
      ...{ customerId: null, proof: null },
      providerItems: items,
      isOtherCurrency,
      ...{ ownCard: '', payingCard: null },
      isProviderTrial: false,
      // A card of the Owner before.
      lastDecline: null,
      ...{ pendingPlanId: null, pendingQuantity: null, nextPlan: null },
      // Whoever pays for it from now on pays by card.
      ...(items.length > 0 && { channel: 'card' as const }),
      isCanceledWithParent: !goesOn && row.parentId !== null && (row.isCanceledWithParent || isBilledAgain(row)),
      // The new Owner has the rest of a trial, and pays from its end on.
      ...(row.status === 'trialing' && { trialEnd: end, periodEnd: end }),
      // An end that is ahead is final: what a card cannot pay for cannot be turned on again.
      ...(!goesOn && { autoRenew: false, cancelAt: end, endedAt: items.length > 0 ? null : end }),
    })
    .where(eq(subscriptions.id, subscriptionId))
}

/** What no provider bills: it ends as before, and for good if it could be turned on, but not by the new Owner. */
function movedUnbilled({ row, memberId, items, isOtherCurrency }: Move): Partial<SubscriptionRow> {
  const isFinal = items.length === 0 && row.providerItems.length > 0
  return { memberId, isOtherCurrency, ...(isFinal && { providerItems: [], endedAt: movedEnd(row) }) }
}

/**
 * What waits to begin, or was to be turned on, is of another currency than its Owner is billed in: nobody can turn it on any more.
 * That a transfer had it renew is corrected by `endWithPeriod`.
 */
export async function noteOtherCurrency(tx: Tx, subscriptionId: string): Promise<void> {
  await tx
    .update(subscriptions)
    .set({
      isOtherCurrency: true,
      providerItems: [],
      endedAt: sql`case when not ${subscriptions.autoRenew} then coalesce(${subscriptions.cancelAt}, ${subscriptions.periodEnd}) end`,
    })
    .where(and(eq(subscriptions.id, subscriptionId), isNull(subscriptions.providerId)))
}

/** It cannot go on after all: it ends with the time that is paid, and the new Owner gets an email about that. */
export async function endWithPeriod(deps: Deps, tx: Tx, subscriptionId: string): Promise<void> {
  const { id, providerId, autoRenew, cancelAt, periodEnd } = subscriptions
  // What goes on until the end of a commitment ends later than what is paid.
  const goesOn = or(autoRenew, gt(cancelAt, periodEnd))
  const isWaiting = and(eq(id, subscriptionId), isNull(providerId), goesOn)
  const [before] = await tx.select().from(subscriptions).where(isWaiting).for('update')
  if (!before) return
  // Without items there is nothing that could be turned on again.
  const endedAt = before.providerItems.length === 0 ? before.periodEnd : null
  const ending = { autoRenew: false, cancelAt: before.periodEnd, endedAt }
  await tx.update(subscriptions).set(ending).where(eq(id, subscriptionId))
  const now = deps.clock()
  const { memberId, status, productCode, userCount } = before
  const program = { memberId, actor: 'subscriptions.continue', address: null, requestId: null }
  const details = { productCode, before: { autoRenew: before.autoRenew, cancelAt: before.cancelAt }, after: ending }
  await recordSystem(tx, program, { action: 'subscription.changed', target: subscriptionId, details, now })
  const changed = [...(before.autoRenew ? ['autoRenew'] : []), 'cancelAt', 'endedAt']
  const { cancelAt: end } = ending
  const data = { subscriptionId, changed, status, productCode, userCount, periodEnd: end, cancelAt: end, endedAt }
  await publishEvent(deps, tx, { type: 'subscription.changed', data, now })
  await emailOwner(deps, tx, { id: subscriptionId, email: 'renewalOff' })
}
