import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, descending, prepared, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import {
  and,
  asc,
  count,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  like,
  ne,
  not,
  or,
  type SQL,
  sql,
  sum,
} from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { products } from '../catalog/catalog.tables.ts'
import { isTypedPurchase } from '../payments/customers/customers.queries.ts'
import { dueOrders } from './due-orders.queries.ts'
import { isKnownByAddressAlone } from './known-by-address.queries.ts'
import { isKnownByAddress } from './known-by-address.rules.ts'
import { paidFrom } from './paid-from.queries.ts'
import { productOfPendingChange, productsOfNextPlan, quoteOfOpenChange } from './plan-change/open-change.queries.ts'
import { ownSeatType, seatsTaken } from './seats.queries.ts'
import { seats } from './seats.tables.ts'
import { type AccessAt, accessAt, accessEnd, currentStatus } from './subscriptions.rules.ts'
import { subscriptions } from './subscriptions.tables.ts'

interface Asked {
  member: Pick<Member, 'id'>
  access: AccessAt
  isOffline: boolean
  status: SubscriptionStatus | undefined
  keywords: string
  limit: number
  offset: number
}

export type ListedSubscription = Awaited<ReturnType<ReturnType<typeof listPage>['execute']>>[number]

/**
 * A page of the subscriptions in which a member has a role, and their number: past due ones first, then the newest, add-ons below
 * what they belong to.
 */
export async function pageOfSubscriptions(db: Reader, asked: Asked) {
  const { member, access, isOffline, status, keywords, limit, offset } = asked
  const shape = { isOffline, status: status !== undefined, keywords: keywords !== '' }
  const values = {
    memberId: member.id,
    ...access,
    ...(status && { status }),
    ...(keywords !== '' && { pattern: containing(keywords) }),
  }
  const [rows, [counted]] = await Promise.all([
    listPage(db, shape).execute({ ...values, limit, offset }),
    listCount(db, shape).execute(values),
  ])
  return { rows, total: counted?.total ?? 0 }
}

/** A subscription in which the member has a role; undefined otherwise. */
export async function subscriptionOfMember(
  db: Reader,
  member: Pick<Member, 'id'>,
  { id, access }: { id: string; access: AccessAt },
): Promise<ListedSubscription | undefined> {
  const [row] = await oneRecord(db).execute({ memberId: member.id, id, ...access })
  return row
}

/**
 * The add-ons of a subscription, of the same Owner, as certainly as it is: with what is proven, nothing ends or begins that an address alone
 * made theirs, nor the other way round.
 */
export async function addOnsOf(
  db: Reader,
  parent: ListedSubscription,
  { access }: { access: AccessAt },
): Promise<ListedSubscription[]> {
  const { id: parentId, memberId } = parent
  const found = await addOns(db).execute({ memberId, parentId, ...access })
  return found.filter((one) => isKnownByAddress(one) === isKnownByAddress(parent))
}

const memberId = sql.placeholder('memberId')
const parents = alias(subscriptions, 'parents')
const same = alias(subscriptions, 'same')
const parentProducts = alias(products, 'parent_products')

/** Which filters are set. */
interface Shape extends Readonly<Record<string, boolean>> {
  isOffline: boolean
  status: boolean
  keywords: boolean
}

/** Whether the statement's member owns the subscription or has an accepted seat in it. Two indexes, each read once. */
export function isOfMember(db: Reader): SQL | undefined {
  const seated = db
    .select({ id: seats.subscriptionId })
    .from(seats)
    .where(and(eq(seats.memberId, memberId), eq(seats.status, 'Accepted'), isNull(seats.removedAt)))
  return or(eq(subscriptions.memberId, memberId), sql`${subscriptions.id} = any(array(${seated}))`)
}

function matching(db: Reader, { isOffline, status, keywords }: Shape): SQL | undefined {
  const searched = sql`lower(${subscriptions.id} || chr(10) || ${products.name})`
  return and(
    isOfMember(db),
    isOffline ? eq(subscriptions.origin, 'offline') : ne(subscriptions.origin, 'offline'),
    status ? eq(currentStatus(accessAt), sql.placeholder('status')) : undefined,
    // The database lowercases both sides, so that they agree.
    keywords ? like(searched, sql`lower(${sql.placeholder('pattern')})`) : undefined,
  )
}

/** The states in which seats count against a cap. */
const countedForCap = [
  'active',
  'trialing',
  'past_due',
  'offline-purchase',
  'given',
] as const satisfies SubscriptionStatus[]

/**
 * The seats that count against the product's cap: of this subscription, or of all that its Owner has of the product, without others that an
 * address alone made theirs.
 */
export function countOfCap(): SQL<number> {
  return sql<number>`case when ${products.cap} ->> 'scope' = 'member' then (
    select sum(${same.userCount})::int from ${subscriptions} same
    where ${same.memberId} = ${subscriptions.memberId} and ${same.productCode} = ${subscriptions.productCode}
      and ${same.status} in ${countedForCap} and (${same.id} = ${subscriptions.id} or not ${isKnownByAddressAlone(same)})
  ) else ${subscriptions.userCount} end`.mapWith(Number)
}

/** How many seats a member has of each product, as far as they count against a cap by customer: not what an address alone made theirs. */
export async function seatsByProduct(db: Reader, memberId: string): Promise<ReadonlyMap<string, number>> {
  const isCounted = inArray(subscriptions.status, countedForCap)
  const rows = await db
    .select({ code: subscriptions.productCode, seats: sum(subscriptions.userCount).mapWith(Number) })
    .from(subscriptions)
    .where(and(eq(subscriptions.memberId, memberId), isCounted, not(isKnownByAddressAlone())))
    .groupBy(subscriptions.productCode)
  return new Map(rows.map(({ code, seats: taken }) => [code, taken]))
}

/** The columns of a record, for the member of the statement. */
function records(db: Reader) {
  return db
    .select({
      ...getTableColumns(subscriptions),
      currentStatus: currentStatus(accessAt),
      /** Epoch seconds; infinite while it renews, or negative infinity without access. */
      accessEnd: sql<number>`extract(epoch from ${accessEnd(accessAt)})`.mapWith(Number),
      role: ownSeatType(memberId),
      joinCount: seatsTaken(subscriptions.id, accessAt.now),
      countOfCap: countOfCap(),
      quoteOfOpenChange: quoteOfOpenChange(),
      pendingProduct: productOfPendingChange(),
      nextProducts: productsOfNextPlan(),
      dueOrders: dueOrders(),
      paidFrom: paidFrom(),
      isTyped: isTypedPurchase(subscriptions),
      product: {
        name: products.name,
        skuName: products.skuName,
        icon: products.icon,
        flags: products.flags,
        prices: products.prices,
        cap: products.cap,
        upgrades: products.upgrades,
        manageUrl: products.manageUrl,
      },
      parentName: parentProducts.name,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .leftJoin(parents, eq(parents.id, subscriptions.parentId))
    .leftJoin(parentProducts, eq(parentProducts.code, parents.productCode))
}

const listPage = preparedShapes('subscriptions_page', (db, name, shape: Shape) =>
  records(db)
    .where(matching(db, shape))
    .orderBy(
      // A payment that failed comes first, wherever it stands among many.
      asc(sql`coalesce(${parents.status}, ${subscriptions.status}) <> 'past_due'`),
      descending(sql`coalesce(${parents.createdAt}, ${subscriptions.createdAt})`),
      asc(sql`coalesce(${parents.id}, ${subscriptions.id})`),
      asc(sql`${subscriptions.parentId} is not null`),
      asc(subscriptions.id),
    )
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const listCount = preparedShapes('subscriptions_count', (db, name, shape: Shape) =>
  db
    .select({ total: count() })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(matching(db, shape))
    .prepare(name),
)

const oneRecord = prepared('subscription_of_member', (db, name) =>
  records(db)
    .where(and(eq(subscriptions.id, sql.placeholder('id')), isNotNull(ownSeatType(memberId))))
    .prepare(name),
)

const addOns = prepared('add_ons_of_subscription', (db, name) =>
  records(db)
    .where(and(eq(subscriptions.parentId, sql.placeholder('parentId')), eq(subscriptions.memberId, memberId)))
    .orderBy(asc(subscriptions.id))
    .prepare(name),
)
