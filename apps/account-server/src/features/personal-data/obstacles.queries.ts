import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, exists, inArray, isNotNull, isNull, ne, not, or, type SQL, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { invoiceFiles, orders } from '../orders/orders.tables.ts'
import { providerOperations } from '../payments/operations/operations.tables.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import { isKnownByAddressAlone } from '../subscriptions/known-by-address.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { type AccessAt, hasAccess } from '../subscriptions/subscriptions.rules.ts'
import { type SubscriptionRow, subscriptions } from '../subscriptions/subscriptions.tables.ts'
import type { Person } from './personal-table.ts'

/** Why a member cannot be erased yet. */
export type Obstacle =
  /** It still gives access, or the provider may still charge for it. */
  | { kind: 'running_subscription'; subscriptionId: string; product: string }
  /** It waits for the operator, and the provider may charge for it again. */
  | { kind: 'purchase_being_checked'; objectId: string; provider: 'card' | 'paypal' }
  /** Other people are listed as its users. */
  | { kind: 'team'; subscriptionId: string; product: string; users: number }
  /** What was begun at a provider, and has not ended there. */
  | { kind: 'open_operation'; operation: string; createdAt: Date }
  | { kind: 'unpaid_order'; orderNumber: string }
  /** Tax law keeps the invoice, and it is not written yet. */
  | { kind: 'unwritten_invoice'; orderNumber: string }

/** Everything that stands in the way, for one message. */
export async function obstaclesOf(db: Reader, memberId: string, at: AccessAt): Promise<Obstacle[]> {
  return [
    ...(await runningSubscriptions(db, memberId, at)),
    ...(await purchasesBeingChecked(db, memberId)),
    ...(await teams(db, memberId)),
    ...(await openOperations(db, memberId)),
    ...(await unfinishedOrders(db, memberId)),
  ]
}

/** What gives access, or the provider may still charge for. */
export function runs(at: AccessAt): SQL | undefined {
  const { status, endedAt, providerId } = subscriptions
  const isBilled = and(inArray(status, ['active', 'trialing', 'past_due', 'pending']), isNull(endedAt))
  return or(hasAccess(at), and(isNotNull(providerId), isBilled))
}

/** The same of a member. */
function isRunning(memberId: string, at: AccessAt): SQL | undefined {
  return and(eq(subscriptions.memberId, memberId), runs(at))
}

/** What is theirs by a typed address alone is no obstacle: whoever pays for it may be a stranger, and goes on. */
async function runningSubscriptions(db: Reader, memberId: string, at: AccessAt): Promise<Obstacle[]> {
  const rows = await db
    .select({ subscriptionId: subscriptions.id, product: products.name })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(and(isRunning(memberId, at), not(isKnownByAddressAlone())))
    .orderBy(subscriptions.id)
  return rows.map((row) => ({ kind: 'running_subscription', ...row }))
}

export interface ByAddress {
  row: SubscriptionRow
  /** Whether it runs. */
  isRunning: boolean
}

/**
 * What only a typed address says is the member's, locked: what runs, and at PayPal what has ended, too, since it may be billed again, or a
 * payment of it may only clear later.
 */
export function lockByAddress(tx: Tx, memberId: string, at: AccessAt): Promise<ByAddress[]> {
  const { memberId: owner, channel, providerId, id } = subscriptions
  const isAtPaypal = and(eq(owner, memberId), eq(channel, 'paypal'), isNotNull(providerId))
  const runs = isRunning(memberId, at)
  return tx
    .select({ row: subscriptions, isRunning: sql<boolean>`coalesce(${runs}, false)` })
    .from(subscriptions)
    .where(and(or(runs, isAtPaypal), isKnownByAddressAlone()))
    .orderBy(id)
    .for('update')
}

async function purchasesBeingChecked(db: Reader, memberId: string): Promise<Obstacle[]> {
  const rows = await db
    .select({ objectId: unmatchedPurchases.objectId, provider: unmatchedPurchases.provider })
    .from(unmatchedPurchases)
    .where(and(isWaiting(db), eq(unmatchedPurchases.memberId, memberId), eq(unmatchedPurchases.isProven, true)))
    .orderBy(unmatchedPurchases.objectId)
  return rows.map((row) => ({ kind: 'purchase_being_checked', ...row }))
}

/** Ids at the provider of what waits, and only a typed address says that it is the person's: nothing says that they are charged. */
export async function purchasesByAddress(db: Reader, { memberId, email }: Person): Promise<string[]> {
  const { objectId, isProven } = unmatchedPurchases
  const isTheirs = or(
    eq(unmatchedPurchases.email, email),
    memberId === null ? undefined : eq(unmatchedPurchases.memberId, memberId),
  )
  const rows = await db
    .select({ objectId })
    .from(unmatchedPurchases)
    .where(and(isWaiting(db), isTheirs, eq(isProven, false)))
    .orderBy(objectId)
  return rows.map((row) => row.objectId)
}

/** A subscription at a provider that is not one here, and nobody has decided about, or that was linked and was not read since. */
function isWaiting(db: Reader): SQL | undefined {
  const { kind, objectId, reason, acceptedAt } = unmatchedPurchases
  const stored = db.select({ id: subscriptions.id }).from(subscriptions).where(eq(subscriptions.providerId, objectId))
  const isUndecided = and(isNull(acceptedAt), ne(reason, 'not_mine'))
  return and(eq(kind, 'subscription'), or(isUndecided, eq(reason, 'no_member')), not(exists(stored)))
}

async function teams(db: Reader, memberId: string): Promise<Obstacle[]> {
  const rows = await db
    .select({
      subscriptionId: subscriptions.id,
      product: products.name,
      users: sql<number>`count(*)`.mapWith(Number),
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .innerJoin(seats, eq(seats.subscriptionId, subscriptions.id))
    .where(and(eq(subscriptions.memberId, memberId), isNull(seats.removedAt), isOther(memberId)))
    .groupBy(subscriptions.id, products.name)
    .orderBy(subscriptions.id)
  return rows.map((row) => ({ kind: 'team', ...row }))
}

function isOther(memberId: string): SQL | undefined {
  return or(isNull(seats.memberId), ne(seats.memberId, memberId))
}

async function openOperations(db: Reader, memberId: string): Promise<Obstacle[]> {
  const rows = await db
    .select({ operation: providerOperations.kind, createdAt: providerOperations.createdAt })
    .from(providerOperations)
    .where(and(eq(providerOperations.memberId, memberId), isNull(providerOperations.resolvedAt)))
    .orderBy(providerOperations.createdAt)
  return rows.map((row) => ({ kind: 'open_operation', ...row }))
}

async function unfinishedOrders(db: Reader, memberId: string): Promise<Obstacle[]> {
  const file = db
    .select({ orderNumber: invoiceFiles.orderNumber })
    .from(invoiceFiles)
    .where(and(eq(invoiceFiles.orderNumber, orders.orderNumber), eq(invoiceFiles.kind, 'invoice')))
  // One that a stranger has not paid, of what is theirs by an address alone, is not the person's to pay.
  const ofStranger = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.providerId, orders.providerSubscriptionId), isKnownByAddressAlone()))
  const isUnpaid = and(inArray(orders.status, ['PD', 'OP']), not(exists(ofStranger)))
  const isUnwritten = and(eq(orders.origin, 'charged'), eq(orders.status, 'CO'), not(exists(file)))
  const rows = await db
    .select({ orderNumber: orders.orderNumber, status: orders.status })
    .from(orders)
    .where(and(eq(orders.memberId, memberId), or(isUnpaid, isUnwritten)))
    .orderBy(orders.orderNumber)
  return rows.map(({ orderNumber, status }) => ({
    kind: status === 'CO' ? 'unwritten_invoice' : 'unpaid_order',
    orderNumber,
  }))
}
