import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { ownSeatType, seatsHeld, seatsTaken } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/**
 * A subscription with its seat counts and the member's type; undefined if the member is not in it. Then nothing is counted, so
 * that a foreign subscription takes no longer than a missing one.
 */
export async function teamOfMember(db: Reader, member: Member, subscriptionId: string, now: Date) {
  const [team] = await oneTeam(db).execute({ memberId: member.id, subscriptionId, now })
  return team
}

/** The users of a subscription: the Owner first, then by e-mail address. */
export function pageOfSeats(db: Reader, subscriptionId: string, page: { limit: number; offset: number }) {
  return seatsPage(db).execute({ subscriptionId, ...page })
}

const oneTeam = prepared('team_of_member', (db, name) =>
  db
    .select({
      appName: products.name,
      appCode: products.code,
      orgCode: subscriptions.orgCode,
      userCount: subscriptions.userCount,
      ownType: ownSeatType(sql.placeholder('memberId')),
      joinCount: seatsTaken(subscriptions.id, sql.placeholder('now')),
      heldCount: seatsHeld(subscriptions.id, sql.placeholder('now')),
      total: sql<number>`(
        select count(*)::int from ${seats} listed
        where listed.subscription_id = ${subscriptions.id} and listed.removed_at is null
      )`,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(eq(subscriptions.id, sql.placeholder('subscriptionId')), isNotNull(ownSeatType(sql.placeholder('memberId')))),
    )
    .prepare(name),
)

const seatsPage = prepared('seats_page', (db, name) =>
  db
    .select()
    .from(seats)
    .where(and(eq(seats.subscriptionId, sql.placeholder('subscriptionId')), isNull(seats.removedAt)))
    .orderBy(desc(sql`${seats.type} = 2`), asc(seats.email))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)
