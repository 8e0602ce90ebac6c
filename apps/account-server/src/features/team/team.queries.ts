import type { SeatType } from '@atrium/contract/team.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, isNotNull, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { seats } from './team.tables.ts'

/** Days for which an invitation is valid, and holds its seat. */
const invitationDays = 7

/** Number of seats taken: by accepted users who hold a license, and by valid invitations. A Setup Admin takes none. */
export function seatsTaken(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL<number> {
  return sql<number>`(
    select count(*)::int from ${seats} taken
    where taken.subscription_id = ${subscriptionId} and taken.removed_at is null and taken.type <> 3
      and case taken.status
        when 'Accepted' then taken.is_use
        else taken.invited_at > ${now}::timestamptz - make_interval(days => ${sql.raw(String(invitationDays))})
      end
  )`
}

/** How many of them are held by invitations. */
function seatsHeld(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL<number> {
  return sql<number>`(
    select count(*)::int from ${seats} held
    where held.subscription_id = ${subscriptionId} and held.removed_at is null and held.type <> 3
      and held.status = 'Pending'
      and held.invited_at > ${now}::timestamptz - make_interval(days => ${sql.raw(String(invitationDays))})
  )`
}

/**
 * The member's type in the query's subscription: Owner, or the type of their seat; null: none, or not accepted yet. A previous
 * Owner, who is one only by the seat, is a Member.
 */
export function ownSeatType(memberId: SQLWrapper): SQL<SeatType | null> {
  return sql<SeatType | null>`case when ${subscriptions.memberId} = ${memberId} then 2 else (
    select case own.type when 2 then 0 else own.type end from ${seats} own
    where own.subscription_id = ${subscriptions.id} and own.member_id = ${memberId}
      and own.removed_at is null and own.status = 'Accepted'
    limit 1
  ) end`
}

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
