import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, getTableColumns, isNull, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { orders } from '../orders/orders.tables.ts'
import { enterprises } from '../subscriptions/enterprises.tables.ts'
import { ofOpenPurchase, openPurchases } from '../subscriptions/open-purchases.queries.ts'
import { paidFrom } from '../subscriptions/paid-from.queries.ts'
import { ownSeatType } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { countOfCap, isOfMember } from '../subscriptions/subscription-list.queries.ts'
import { type AccessAt, accessAt, accessEnd, currentStatus } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { dismissedReasons } from './renewal-dismissals.queries.ts'

export type ProductRow = Awaited<ReturnType<ReturnType<typeof listed>['execute']>>[number]

interface Asked {
  member: Pick<Member, 'id'>
  access: AccessAt
}

/**
 * The subscriptions that a member owns or has a seat in: those of the wanted list first, and among them what needs attention, then the
 * newest. Seats without a license are among them, at the end: they say why a list is empty.
 */
export function productsOfMember(
  db: Reader,
  { member, access, isOffline, limit }: Asked & { isOffline: boolean; limit: number },
) {
  return listed(db).execute({ memberId: member.id, ...access, isOffline, limit })
}

export type PromptRow = Awaited<ReturnType<ReturnType<typeof prompts>['execute']>>[number]

/** The member's own subscriptions that may need attention: past due, on trial, or with an end or a charge that is near. */
export function promptsOfMember(db: Reader, { member, access, limit }: Asked & { limit: number }) {
  return prompts(db).execute({ memberId: member.id, ...access, limit })
}

const memberId = sql.placeholder('memberId')

/**
 * The member's seat in a subscription, found by its index for each: joined as a list, it would be read from end to end for every
 * subscription as soon as the planner expects a few of both.
 */
function ownSeat(db: Reader) {
  const { subscriptionId, status, removedAt } = seats
  const isTheirs = and(eq(subscriptionId, subscriptions.id), eq(seats.memberId, memberId))
  return db
    .select({ isUse: seats.isUse })
    .from(seats)
    .where(and(isTheirs, eq(status, 'Accepted'), isNull(removedAt)))
    .limit(1)
    .as('own')
}

const isOfList = sql`((${subscriptions.origin} = 'offline') = ${sql.placeholder('isOffline')}::boolean)`

/** Connectors bought alone stand with the product that they connect. */
const isOwnProduct = sql`not (${subscriptions.parentId} is not null and 'connector' = any(${products.flags}))`

/** The kind of a purchase that waits for the customer at the provider: PayPal's approval, or the bank's question. */
const openPurchase = ofOpenPurchase({
  kinds: ['subscription.change_by_order', 'subscription.renew'],
  value: sql<'subscription.change_by_order' | 'subscription.renew'>`${openPurchases.kind}`,
})

/** The order that is not paid yet; null: none. */
const unpaidOrder = sql<string | null>`(
  select o.order_number from ${orders} o
  where o.provider_subscription_id = ${subscriptions.providerId} and o.status = 'PD' limit 1
)`

function columns() {
  return {
    ...getTableColumns(subscriptions),
    currentStatus: currentStatus(accessAt),
    /** Epoch seconds; infinite while it renews, or negative infinity without access. */
    accessEnd: sql<number>`extract(epoch from ${accessEnd(accessAt)})`.mapWith(Number),
    countOfCap: countOfCap(),
    openPurchase,
    unpaidOrder,
    paidFrom: paidFrom(),
    product: {
      name: products.name,
      sku: products.sku,
      skuName: products.skuName,
      position: products.position,
      flags: products.flags,
      prices: products.prices,
      cap: products.cap,
      upgrades: products.upgrades,
      icon: products.icon,
      launchUrl: products.launchUrl,
      downloads: products.downloads,
      integrations: products.integrations,
    },
  }
}

const needsAttention = sql`(${subscriptions.status} = 'past_due' or ${subscriptions.dueUrl} <> '')`
const hasEnded = sql`(${subscriptions.status} in ('canceled', 'prepayment-expired'))`

const listed = prepared('my_products', (db, name) => {
  const own = ownSeat(db)
  /** The Owner's, and everybody's who holds a license. */
  const isProduct = sql`(${subscriptions.memberId} = ${memberId} or coalesce(${own.isUse}, false))`
  return db
    .select({
      ...columns(),
      role: ownSeatType(memberId),
      isUse: own.isUse,
      isProduct: sql<boolean>`${isProduct}`,
      consoleUrl: enterprises.consoleUrl,
      ownerEmail: members.email,
      total: sql<number>`(count(*) filter (where ${isProduct} and ${isOfList}) over ())::int`,
      totalElsewhere: sql<number>`(count(*) filter (where ${isProduct} and not ${isOfList}) over ())::int`,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .innerJoin(members, eq(members.id, subscriptions.memberId))
    .leftJoinLateral(own, sql`true`)
    .leftJoin(enterprises, eq(enterprises.orgCode, subscriptions.orgCode))
    .where(and(isOfMember(db), isOwnProduct))
    .orderBy(
      descending(sql`${isProduct} and ${isOfList}`),
      descending(needsAttention),
      asc(hasEnded),
      descending(subscriptions.createdAt),
      asc(subscriptions.id),
    )
    .limit(sql.placeholder('limit'))
    .prepare(name)
})

/** Days before an end or a charge, and after an end, within which it is looked at. */
const daysAhead = 60
const daysBehind = 30

const prompts = prepared('renewal_prompts', (db, name) => {
  const { endedAt, cancelAt, periodEnd, trialEnd, status } = subscriptions
  const next = sql`coalesce(${endedAt}, ${cancelAt}, case when ${status} in ('trialing', 'canceled') then ${trialEnd} end, ${periodEnd})`
  const days = (count: number) => sql`${accessAt.now}::timestamptz + make_interval(days => ${sql.raw(String(count))})`
  return db
    .select({ ...columns(), dismissed: dismissedReasons(subscriptions.id) })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(
        eq(subscriptions.memberId, memberId),
        // An add-on ends and is paid with what it belongs to.
        isNull(subscriptions.parentId),
        sql`(${status} = 'past_due' or ${next} between ${days(-daysBehind)} and ${days(daysAhead)})`,
      ),
    )
    .orderBy(
      descending(sql`${status} = 'past_due'`),
      asc(sql`${subscriptions.autoRenew} and ${cancelAt} is null`),
      asc(next),
      asc(subscriptions.id),
    )
    .limit(sql.placeholder('limit'))
    .prepare(name)
})
