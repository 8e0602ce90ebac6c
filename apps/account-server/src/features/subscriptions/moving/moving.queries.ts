import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, desc, eq, gt, inArray, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { daysLater } from '../../../db/calendar.rules.ts'
import { orders } from '../../orders/orders.tables.ts'
import { operationOfObject, unresolvedOf } from '../../payments/operations/operations.queries.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions.tables.ts'
import { movedObjects } from './moved-objects.tables.ts'

/** The provider's id of what stood for a subscription before its last transfer. */
export async function lastMovedObject(db: Reader, subscriptionId: string): Promise<string | undefined> {
  const [last] = await db
    .select({ providerId: movedObjects.providerId })
    .from(movedObjects)
    .where(eq(movedObjects.subscriptionId, subscriptionId))
    .orderBy(desc(movedObjects.movedAt))
    .limit(1)
  return last?.providerId
}

/** The provider's id of what stood for a subscription before a transfer, of one of its invoices. */
export async function movedObjectOf(db: Reader, invoiceId: string): Promise<string | undefined> {
  const { providerId } = movedObjects
  const [moved] = await db
    .select({ providerId })
    .from(orders)
    .innerJoin(movedObjects, eq(providerId, orders.providerSubscriptionId))
    .where(eq(orders.providerId, invoiceId))
  return moved?.providerId
}

/** When a transfer gave what a provider's subscription stood for to another Owner; undefined: none has. */
export async function movedAtOf(db: Reader, providerId: string): Promise<Date | undefined> {
  const { movedAt } = movedObjects
  const [moved] = await db.select({ movedAt }).from(movedObjects).where(eq(movedObjects.providerId, providerId))
  return moved?.movedAt
}

interface PaidTime {
  row: Pick<SubscriptionRow, 'id' | 'providerId'>
  /** The provider's id of what was paid for it. */
  providerId: string
  until: Date
}

/**
 * Whether an Owner before or since has paid for the same time of a subscription, until its end or beyond, with another subscription at a
 * provider. Who pays for more before that end is credited for it. What was given back wholly does not count.
 */
export async function isPaidByOthers(db: Reader, { row, providerId, until }: PaidTime): Promise<boolean> {
  const isOther = and(eq(movedObjects.subscriptionId, row.id), ne(movedObjects.providerId, providerId))
  const moved = await db.select({ id: movedObjects.providerId }).from(movedObjects).where(isOther)
  const others = [...moved.map(({ id }) => id), ...(row.providerId === null ? [] : [row.providerId])]
  if (others.length === 0) return false
  const least = daysLater(until, -1).toISOString()
  const isUntil = sql`exists (select from jsonb_array_elements(${orders.lines}) line where (line ->> 'amount')::bigint > 0
    and coalesce(nullif(line -> 'facts' ->> 'to', '')::timestamptz, 'infinity') >= ${least}::timestamptz)`
  const isKept = and(
    eq(orders.status, 'CO'),
    gt(sql`coalesce(${orders.total}, ${orders.amount})`, orders.refundedAmount),
  )
  const isOfOthers = inArray(orders.providerSubscriptionId, others)
  return (await db.$count(orders, and(isOfOthers, isKept, lt(orders.date, until), isUntil))) > 0
}

/**
 * Since when nobody here gets what the card provider bills for a subscription that was transferred: a renewal before the provider was to end
 * it is the new Owner's time. Undefined: it was not transferred, or that is not settled yet.
 */
export async function endedForMove(db: Reader, providerId: string): Promise<Date | undefined> {
  const movedAt = await movedAtOf(db, providerId)
  const ending = movedAt && (await operationOfObject(db, 'subscription.end_moved', providerId))
  if (!ending) return movedAt
  const { resolvedAt } = ending
  return resolvedAt && resolvedAt < movedAt ? movedAt : (resolvedAt ?? undefined)
}

/** Whether a provider has not yet ended, or begun, what a transfer has left. */
export async function isContinuing(db: Reader, member: Pick<Member, 'id'>, subscriptionId: string): Promise<boolean> {
  const kinds = ['subscription.end_moved', 'subscription.continue_moved'] as const
  return (await unresolvedOf(db, member, { kinds, subject: subscriptionId })).length > 0
}

/** A column: whether a subscription that a provider billed was ever transferred. */
export function isMoved(): SQL<boolean> {
  return sql<boolean>`exists (select from ${movedObjects} where ${movedObjects.subscriptionId} = ${subscriptions.id})`
}

interface Left {
  memberId: string
  subscriptionId: string
}

/** The currency of a member's subscription for which nothing at a provider stands yet; undefined: something does, it has ended, or it is not theirs. */
export async function currencyOfLeft(db: Reader, { memberId, subscriptionId }: Left) {
  const { id, memberId: owner, providerId, currency, status } = subscriptions
  const isLeft = and(eq(id, subscriptionId), eq(owner, memberId), isNull(providerId), ne(status, 'canceled'))
  const [left] = await db.select({ currency }).from(subscriptions).where(isLeft)
  return left
}
