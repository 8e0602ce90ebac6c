import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, exists, gt, inArray, isNotNull, isNull, ne, not, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { unresolvedOf } from '../payments/operations/operations.queries.ts'
import { dueOrders, hasUnpaidOrder } from '../subscriptions/due-orders.queries.ts'
import { isKnownByAddressAlone } from '../subscriptions/known-by-address.queries.ts'
import { productsOfNextPlan } from '../subscriptions/plan-change/open-change.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { type AccessAt, currentStatus } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { transferCodes, transfers } from './transfers.tables.ts'

export type OwnSubscription = Awaited<ReturnType<typeof ownSubscriptions>>[number]
export type Recipient = NonNullable<Awaited<ReturnType<typeof recipientFor>>>
export type CodesRow = typeof transferCodes.$inferSelect

type OnlyId = Pick<Member, 'id'>

const parents = alias(subscriptions, 'parents')
const parentProducts = alias(products, 'parent_products')

/** A member's own subscriptions, add-ons after what they belong to. */
export function ownSubscriptions(db: Reader, member: OnlyId, access: AccessAt) {
  return db
    .select({
      row: subscriptions,
      productName: products.name,
      parentName: parentProducts.name,
      currentStatus: currentStatus(access),
      /** Names of the products that are planned, by code. */
      nextProducts: productsOfNextPlan(),
      /** What was declined of it; null: nothing. */
      dueOrders: dueOrders(),
      hasUnpaidOrder: hasUnpaidOrder(),
      isTyped: isTypedPurchase(subscriptions),
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .leftJoin(parents, eq(parents.id, subscriptions.parentId))
    .leftJoin(parentProducts, eq(parentProducts.code, parents.productCode))
    .where(eq(subscriptions.memberId, member.id))
    .orderBy(
      sql`coalesce(${subscriptions.parentId}, ${subscriptions.id})`,
      isNotNull(subscriptions.parentId),
      asc(subscriptions.id),
    )
}

/** Locks them, and then the seats in them, each in the order of their ids. */
export async function lockOwnSubscriptions(tx: Tx, member: OnlyId): Promise<void> {
  const { id, memberId } = subscriptions
  const own = await tx.select({ id }).from(subscriptions).where(eq(memberId, member.id)).orderBy(asc(id)).for('update')
  const ids = own.map((row) => row.id)
  const { subscriptionId } = seats
  await tx.select({ id: seats.id }).from(seats).where(inArray(subscriptionId, ids)).orderBy(asc(seats.id)).for('update')
}

/**
 * The account that can receive from a member: verified, another one, and without a subscription or a seat here; what only a typed address
 * made theirs is not one, since any stranger can pay for it. The same statement for whoever cannot, so that the answer takes as long.
 */
export async function recipientFor(db: Reader, member: OnlyId, asked: { email: string; access: AccessAt }) {
  const hasNotEnded = notInArray(currentStatus(asked.access), ['canceled', 'prepayment-expired'])
  const isByAddress = and(eq(subscriptions.memberId, members.id), isKnownByAddressAlone())
  const owned = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(eq(subscriptions.memberId, members.id), hasNotEnded, not(isKnownByAddressAlone())))
  const isTheirs = or(eq(seats.memberId, members.id), eq(seats.email, members.email))
  const seated = db
    .select({ id: seats.id })
    .from(seats)
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .where(
      and(
        isTheirs,
        eq(seats.status, 'Accepted'),
        isNull(seats.removedAt),
        hasNotEnded,
        sql`${isByAddress} is not true`,
      ),
    )
  const [found] = await db
    .select()
    .from(members)
    .where(
      and(
        eq(members.email, asked.email),
        eq(members.emailVerified, true),
        ne(members.id, member.id),
        not(exists(owned)),
        not(exists(seated)),
      ),
    )
  return found
}

/** Whether there was a transfer from or to a member since a moment. */
export async function hasTransferred(db: Reader, member: OnlyId, since: Date): Promise<boolean> {
  const isOf = or(eq(transfers.memberId, member.id), eq(transfers.recipientId, member.id))
  const found = await db
    .select({ id: transfers.id })
    .from(transfers)
    .where(and(isOf, gt(transfers.createdAt, since)))
    .limit(1)
  return found.length > 0
}

/** Whether a provider was asked for a change of a member's subscriptions, and has not made or refused it yet. */
export async function isChanging(db: Reader, member: OnlyId): Promise<boolean> {
  const unresolved = await unresolvedOf(db, member, {
    kinds: [
      'subscription.turn_off_renewal',
      'subscription.turn_on_renewal',
      'subscription.change',
      'subscription.change_by_order',
      'subscription.give_up_change',
      'subscription.refund_difference',
      'subscription.pay',
      'subscription.change_card',
      'subscription.renew',
      'subscription.end_moved',
      'subscription.continue_moved',
    ],
  })
  return unresolved.length > 0
}

/** The newest pair of codes that a member was sent, locked; older ones are void. */
export async function lockNewestCodes(tx: Tx, member: OnlyId): Promise<CodesRow | undefined> {
  const [newest] = await tx
    .select()
    .from(transferCodes)
    .where(eq(transferCodes.memberId, member.id))
    .orderBy(desc(transferCodes.sentAt), desc(transferCodes.id))
    .limit(1)
    .for('update')
  return newest
}

/** When a member was sent codes since a moment, oldest first. */
export async function codesSentSince(db: Reader, member: OnlyId, since: Date): Promise<Date[]> {
  const { memberId, sentAt } = transferCodes
  const rows = await db
    .select({ sentAt })
    .from(transferCodes)
    .where(and(eq(memberId, member.id), gt(sentAt, since)))
    .orderBy(asc(sentAt))
  return rows.map((row) => row.sentAt)
}

/** The codes of the last transfer that a member made. */
export async function lastUsedCodes(db: Reader, member: OnlyId): Promise<CodesRow | undefined> {
  const { memberId, usedAt } = transferCodes
  const isUsed = and(eq(memberId, member.id), isNotNull(usedAt))
  const [last] = await db.select().from(transferCodes).where(isUsed).orderBy(desc(usedAt)).limit(1)
  return last
}
