import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, prepared, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, like, ne, or, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { firstHeld, firstValid, ownSeatType, seatsHeld, seatsTaken } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { isOfMember } from '../subscriptions/subscription-list.queries.ts'
import { type AccessAt, accessAt, hasAccess } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

interface Asked {
  subscriptionId: string
  access: AccessAt
  /** A part of the e-mail address; empty or left out: all users. */
  keyWord?: string
}

export type Team = NonNullable<Awaited<ReturnType<typeof teamOfMember>>>
export type SeatRow = typeof seats.$inferSelect

/**
 * A subscription with its seat counts and the member's type; undefined if the member is not in it. Then nothing is counted, so
 * that a foreign subscription takes no longer than a missing one.
 */
export async function teamOfMember(
  db: Reader,
  member: Pick<Member, 'id'>,
  { subscriptionId, access, keyWord = '' }: Asked,
) {
  const values = { memberId: member.id, subscriptionId, ...access, ...searched(keyWord) }
  const [team] = await oneTeam(db, { isSearch: keyWord !== '' }).execute(values)
  return team
}

/** Locks a subscription in which the member has a role, before anything about its users is decided. @returns whether there is one */
export async function lockSubscriptionOf(db: Reader, member: Pick<Member, 'id'>, id: string): Promise<boolean> {
  const locked = await lockedSubscription(db).execute({ memberId: member.id, subscriptionId: id })
  return locked.length > 0
}

interface Page {
  subscriptionId: string
  keyWord: string
  limit: number
  offset: number
}

/** The users of a subscription: the Owner first, then by e-mail address. */
export function pageOfSeats(db: Reader, { keyWord, ...page }: Page): Promise<SeatRow[]> {
  return seatsPage(db, { isSearch: keyWord !== '' }).execute({ ...page, ...searched(keyWord) })
}

/** A user of a subscription by the seat's id, locked, also a removed one; undefined if there is none. */
export async function lockSeat(db: Reader, seat: { id: string; subscriptionId: string }): Promise<SeatRow | undefined> {
  const [row] = await db
    .select()
    .from(seats)
    .where(and(eq(seats.id, seat.id), eq(seats.subscriptionId, seat.subscriptionId)))
    .for('update')
  return row
}

/** The users with these e-mail addresses, locked in a fixed order. */
export function lockSeatsByEmail(db: Reader, subscription: string, emails: readonly string[]): Promise<SeatRow[]> {
  return db
    .select()
    .from(seats)
    .where(and(eq(seats.subscriptionId, subscription), inArray(seats.email, [...emails]), isNull(seats.removedAt)))
    .orderBy(seats.id)
    .for('update')
}

/** The other subscriptions whose users the member manages, and of which a person is a user and not the Owner, by product. */
export function otherTeamsOf(
  db: Reader,
  member: Pick<Member, 'id'>,
  { subscriptionId, email, memberId }: Pick<SeatRow, 'subscriptionId' | 'email' | 'memberId'>,
) {
  return otherTeams(db).execute({ memberId: member.id, subscriptionId, email, personId: memberId })
}

const subscriptionId = sql.placeholder('subscriptionId')
const memberId = sql.placeholder('memberId')
const isMembers = and(eq(subscriptions.id, subscriptionId), isNotNull(ownSeatType(memberId)))

/** Which filters are set. */
interface Shape extends Readonly<Record<string, boolean>> {
  isSearch: boolean
}

function searched(keyWord: string): { pattern?: string } {
  return keyWord === '' ? {} : { pattern: containing(keyWord.toLowerCase()) }
}

const lockedSubscription = prepared('team_lock_subscription', (db, name) =>
  db.select({ id: subscriptions.id }).from(subscriptions).where(isMembers).for('update').prepare(name),
)

const oneTeam = preparedShapes('team_of_member', (db, name, { isSearch }: Shape) =>
  db
    .select({
      subscriptionId: subscriptions.id,
      ownerId: subscriptions.memberId,
      appName: products.name,
      appCode: products.code,
      flags: products.flags,
      cap: products.cap,
      orgCode: subscriptions.orgCode,
      userCount: subscriptions.userCount,
      ownType: ownSeatType(memberId),
      joinCount: seatsTaken(subscriptions.id, accessAt.now),
      heldCount: seatsHeld(subscriptions.id, accessAt.now),
      firstHeld: firstHeld(subscriptions.id, accessAt.now),
      hasAccess: hasAccess(accessAt),
      total: sql<number>`(
        select count(*)::int from ${seats} listed
        where listed.subscription_id = ${subscriptions.id} and listed.removed_at is null
          ${isSearch ? sql`and listed.email like ${sql.placeholder('pattern')}` : sql``}
      )`,
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(isMembers)
    .prepare(name),
)

const seatsPage = preparedShapes('seats_page', (db, name, { isSearch }: Shape) =>
  db
    .select()
    .from(seats)
    .where(
      and(
        eq(seats.subscriptionId, subscriptionId),
        isNull(seats.removedAt),
        isSearch ? like(seats.email, sql.placeholder('pattern')) : undefined,
      ),
    )
    .orderBy(desc(sql`${seats.type} = 2`), asc(seats.email))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const otherTeams = prepared('other_teams', (db, name) =>
  db
    .select({ sid: subscriptions.id, appName: products.name })
    .from(subscriptions)
    .innerJoin(seats, eq(seats.subscriptionId, subscriptions.id))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(
        isOfMember(db),
        sql`${ownSeatType(memberId)} <> ${seatTypes.member}`,
        ne(subscriptions.id, subscriptionId),
        isNull(seats.removedAt),
        ne(seats.type, seatTypes.owner),
        or(eq(seats.email, sql.placeholder('email')), eq(seats.memberId, sql.placeholder('personId'))),
      ),
    )
    .orderBy(asc(products.name), asc(subscriptions.id))
    .prepare(name),
)

/** How many people have a valid invitation as Setup Admins. */
export async function pendingSetupAdmins(db: Reader, subscription: string, now: Date): Promise<number> {
  const { setupAdmin } = seatTypes
  const isPending = and(
    ...[eq(seats.type, setupAdmin), eq(seats.status, 'Pending'), isNull(seats.removedAt)],
    gt(seats.invitedAt, firstValid(now)),
  )
  return db.$count(seats, and(eq(seats.subscriptionId, subscription), isPending))
}
