import type { SeatType } from '@atrium/contract/seat-types.ts'
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { invitationDays } from './seats.rules.ts'
import { seats } from './seats.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Number of seats taken: by accepted users who hold a license, and by valid invitations. A Setup Admin takes none. */
export function seatsTaken(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL<number> {
  return sql<number>`(
    select count(*)::int from ${seats} taken
    where taken.subscription_id = ${subscriptionId} and taken.removed_at is null and taken.type <> 3
      and case taken.status
        when 'Accepted' then taken.is_use
        else taken.invited_at > ${firstValid(now)}
      end
  )`
}

/**
 * Whether the query's seat, which holds a license, is one of those that are paid: if more are taken, they are the Owner's and those of who
 * was invited first.
 */
export const isPaidSeat: SQL<boolean> = sql<boolean>`(
  select count(*) from ${seats} first
  where first.subscription_id = ${subscriptions.id} and first.removed_at is null and first.type <> 3
    and first.status = 'Accepted' and first.is_use
    and (first.member_id is distinct from ${subscriptions.memberId}, first.invited_at, first.id)
      < (${seats.memberId} is distinct from ${subscriptions.memberId}, ${seats.invitedAt}, ${seats.id})
) < ${subscriptions.userCount}`

/** How many of them are held by invitations. */
export function seatsHeld(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL<number> {
  return sql<number>`(select count(*)::int ${heldSeats(subscriptionId, now)})`
}

/** Whether the query's seat is the member's, or an invitation of their address. */
export function isOfPerson(memberId: string): SQL {
  const person = sql`select person.email from ${members} person where person.id = ${memberId}`
  return sql`(${seats.memberId} is not distinct from ${memberId} or ${seats.email} = (${person}))`
}

/** When the first of these invitations was sent; null: there is none. */
export function firstHeld(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL<Date | null> {
  return sql<Date | null>`(select min(held.invited_at) ${heldSeats(subscriptionId, now)})`.mapWith(seats.invitedAt)
}

function heldSeats(subscriptionId: SQLWrapper, now: SQLWrapper | Date): SQL {
  return sql`from ${seats} held
    where held.subscription_id = ${subscriptionId} and held.removed_at is null and held.type <> 3
      and held.status = 'Pending' and held.invited_at > ${firstValid(now)}`
}

/** Invitations that were sent later are valid. */
export function firstValid(now: SQLWrapper | Date): SQL {
  return sql`${now}::timestamptz - make_interval(days => ${sql.raw(String(invitationDays))})`
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
