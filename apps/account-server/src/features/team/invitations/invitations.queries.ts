import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { seatsTaken } from '../../subscriptions/seats.queries.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { type AccessAt, hasAccess } from '../../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'
import { invitations } from './invitations.tables.ts'

export type FoundInvitation = NonNullable<Awaited<ReturnType<typeof invitationOfToken>>>

/** Who is told of an acceptance: who invited, while they manage the team; after that, its Owner. */
function receiverOf(db: Reader): SQL {
  const managing = alias(seats, 'managing')
  const isInviters = and(
    eq(managing.subscriptionId, invitations.subscriptionId),
    eq(managing.memberId, invitations.invitedBy),
  )
  const isManaging = and(isNull(managing.removedAt), ne(managing.type, seatTypes.member))
  const found = db.select({ id: managing.id }).from(managing).where(and(isInviters, isManaging))
  return sql`case when exists ${found} then ${invitations.invitedBy} else ${subscriptions.memberId} end`
}

/** Who invited; where their data was erased, the Owner. */
const inviter = sql`case when exists (
  select from ${members} gone where gone.id = ${invitations.invitedBy} and gone.erased_at is not null
) then ${subscriptions.memberId} else ${invitations.invitedBy} end`

/** An invitation by its link, with the seat that it is for. */
export async function invitationOfToken(db: Reader, tokenHash: string, access: AccessAt) {
  const [found] = await db
    .select({
      ended: invitations.ended,
      seat: seats,
      ownerId: subscriptions.memberId,
      userCount: subscriptions.userCount,
      joinCount: seatsTaken(subscriptions.id, access.now),
      hasAccess: hasAccess(access),
      appName: products.name,
      receiverId: sql<string>`${receiverOf(db)}`,
      inviter: { firstName: members.firstName, lastName: members.lastName, email: members.email },
    })
    .from(invitations)
    .innerJoin(seats, eq(seats.id, invitations.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, invitations.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .innerJoin(members, eq(members.id, inviter))
    .where(eq(invitations.tokenHash, tokenHash))
  return found
}

/** Whether a member has another seat of the subscription. */
export async function hasOtherSeat(
  db: Reader,
  { id, subscriptionId }: { id: string; subscriptionId: string },
  memberId: string,
): Promise<boolean> {
  const isOther = and(eq(seats.subscriptionId, subscriptionId), ne(seats.id, id), isNull(seats.removedAt))
  return (await db.$count(seats, and(isOther, eq(seats.memberId, memberId)))) > 0
}
