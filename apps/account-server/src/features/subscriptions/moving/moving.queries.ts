import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, desc, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { daysLater, monthsLater } from '../../../db/calendar.rules.ts'
import type { TimedPayment } from '../../../outside/card-provider/paid-time.ts'
import { buyerUntil } from '../../orders/orders.queries.ts'
import { type OrderLine, orders } from '../../orders/orders.tables.ts'
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

/** The provider's ids of all that stood for a subscription before a transfer. */
export async function objectsOf(db: Reader, subscriptionId: string): Promise<string[]> {
  const isOfIt = eq(movedObjects.subscriptionId, subscriptionId)
  const moved = await db.select({ id: movedObjects.providerId }).from(movedObjects).where(isOfIt)
  return moved.map(({ id }) => id)
}

/** The provider's ids of what else stood, or stands, for what it stood for before a transfer. */
export async function siblingsOf(db: Reader, providerId: string): Promise<string[]> {
  const isOfIt = eq(movedObjects.providerId, providerId)
  const [moved] = await db
    .select({ id: subscriptions.id, now: subscriptions.providerId })
    .from(movedObjects)
    .innerJoin(subscriptions, eq(subscriptions.id, movedObjects.subscriptionId))
    .where(isOfIt)
  if (!moved) return []
  const all = [...(await objectsOf(db, moved.id)), ...(moved.now === null ? [] : [moved.now])]
  return all.filter((id) => id !== providerId)
}

/** When a transfer gave what a provider's subscription stood for to another Owner; undefined: none has. */
export async function movedAtOf(db: Reader, providerId: string): Promise<Date | undefined> {
  const { movedAt } = movedObjects
  const [moved] = await db.select({ movedAt }).from(movedObjects).where(eq(movedObjects.providerId, providerId))
  return moved?.movedAt
}

export interface MovedFrom {
  movedAt: Date
  /** Who had it until then; undefined: nobody knows any more. */
  memberId: string | undefined
}

/** The same, with who had it. */
export async function movedFrom(db: Reader, providerId: string): Promise<MovedFrom | undefined> {
  const { movedAt, memberId } = movedObjects
  const [moved] = await db
    .select({ movedAt, memberId })
    .from(movedObjects)
    .where(eq(movedObjects.providerId, providerId))
  if (!moved) return undefined
  const ordered = () => buyerUntil(db, { providerSubscriptionId: providerId, until: moved.movedAt })
  return { movedAt: moved.movedAt, memberId: moved.memberId ?? (await ordered()) }
}

export interface Transferred {
  /** The provider's id of what stood for it. */
  providerId: string
  /** Who has it now. */
  memberId: string
}

/** What a customer of the card provider has bought, and transfers have given to others than a member, the first one first. */
export function transferredFrom(
  db: Reader,
  { customerId, memberId }: { customerId: string; memberId: string },
): Promise<Transferred[]> {
  const { providerId, movedAt } = movedObjects
  return db
    .select({ providerId, memberId: subscriptions.memberId })
    .from(movedObjects)
    .innerJoin(subscriptions, eq(subscriptions.id, movedObjects.subscriptionId))
    .where(and(eq(movedObjects.customerId, customerId), ne(subscriptions.memberId, memberId)))
    .orderBy(movedAt, providerId)
}

/**
 * What was paid for the time of a subscription after a moment, through whatever stood for it at a provider, as its orders say. An order that a
 * file brought does not say for what time it was: those of the last year are named, since one of them may be for this time.
 */
export async function paymentsOf(
  db: Reader,
  { id, providerId }: Pick<SubscriptionRow, 'id' | 'providerId'>,
  after: Date,
): Promise<{ payments: OrderedPayment[]; untimed: UntimedPayment[] }> {
  const objects = [...(await objectsOf(db, id)), ...(providerId === null ? [] : [providerId])]
  const { providerSubscriptionId, lines, amount, total, refundedAmount: refunded, date, status } = orders
  const isPaid = and(inArray(providerSubscriptionId, objects), ne(providerSubscriptionId, ''), eq(status, 'CO'))
  const paid = await db
    .select({ objectId: providerSubscriptionId, lines, amount, total, refunded, date })
    .from(orders)
    .where(isPaid)
    .orderBy(orders.date, orders.orderNumber)
  const payments: OrderedPayment[] = []
  const untimed: UntimedPayment[] = []
  for (const { lines, total, amount, date, ...order } of paid) {
    const time = timeOf(lines)
    const payment = { ...order, amount: total ?? amount }
    if (time && time.until > after && time.from < time.until) payments.push({ ...payment, ...time })
    if (!time && monthsLater(date, 12) > after) untimed.push({ ...payment, date })
  }
  return { payments, untimed }
}

/** One of which is not known for what time it was. */
export interface UntimedPayment extends Omit<OrderedPayment, 'from' | 'until'> {
  date: Date
}

/** A payment, and the provider's id of that for which it was made. */
export interface OrderedPayment extends TimedPayment {
  objectId: string
}

function timeOf(lines: readonly OrderLine[]): Pick<TimedPayment, 'from' | 'until'> | undefined {
  const times = lines.flatMap(({ amount, facts }) =>
    facts && facts.to !== '' && (amount ?? 0) > 0 ? [{ from: new Date(facts.from), until: new Date(facts.to) }] : [],
  )
  const until = Math.max(...times.map((time) => time.until.getTime()))
  const starts = times.filter((time) => time.until.getTime() === until).map(({ from }) => from.getTime())
  return times.length === 0 ? undefined : { from: new Date(Math.min(...starts)), until: new Date(until) }
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

/** Whether the time that ends then is a trial's, whatever its status is: what was turned off is not called one any more. */
export async function endsWithTrial(
  db: Reader,
  { subscriptionId, end }: { subscriptionId: string; end: Date },
): Promise<boolean> {
  const { id, trialEnd } = subscriptions
  const [row] = await db.select({ trialEnd }).from(subscriptions).where(eq(id, subscriptionId))
  return row !== undefined && row.trialEnd !== null && row.trialEnd > daysLater(end, -1)
}
