import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, exists, gt, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { daysLater } from '../../db/calendar.rules.ts'
import { members } from '../../db/members.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { invitationDays } from '../subscriptions/seats.rules.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { invitations } from '../team/invitations/invitations.tables.ts'
import { transfers } from './transfers.tables.ts'

export type MadeTransfer = NonNullable<Awaited<ReturnType<typeof madeTransfer>>>

/** A transfer with both people; undefined once the new Owner is erased. */
export async function madeTransfer(db: Reader, id: string) {
  const senders = alias(members, 'senders')
  const [found] = await db
    .select({ transfer: transfers, senderLocale: senders.locale, owner: members })
    .from(transfers)
    .innerJoin(senders, eq(senders.id, transfers.memberId))
    .innerJoin(members, eq(members.id, transfers.recipientId))
    .where(and(eq(transfers.id, id), isNull(members.erasedAt)))
  return found
}

interface Page {
  /** `key` of the last person of the page before; empty: the first page. */
  after: string
  limit: number
  now: Date
}

/**
 * Everybody with a seat in what was transferred, but for the two who transferred, in the order of a hash of their emails: who they are, as far
 * as they have an account, and the names of the products. Invitations count while their link is valid.
 */
export function teamOf(db: Reader, { transfer }: MadeTransfer, { after, limit, now }: Page) {
  const { memberId, recipientId, subscriptionIds } = transfer
  const known = alias(members, 'known')
  const ofAddress = db
    .select({ id: known.id })
    .from(known)
    .where(and(eq(known.email, seats.email), eq(known.emailVerified, true)))
  const email = sql<string>`coalesce(${members.email}, ${seats.email})`
  const key = sql<string>`md5(${email})`
  const link = db
    .select({ id: invitations.id })
    .from(invitations)
    .where(and(eq(invitations.seatId, seats.id), isNull(invitations.ended)))
  const isInvited = and(eq(seats.status, 'Pending'), gt(seats.invitedAt, daysLater(now, -invitationDays)), exists(link))
  return db
    .select({
      key,
      email,
      firstName: sql<string>`coalesce(${members.firstName}, '')`,
      lastName: sql<string>`coalesce(${members.lastName}, '')`,
      locale: members.locale,
      products: sql<string[]>`array_agg(distinct ${products.name})`,
      hasSeat: sql<boolean>`bool_or(${seats.status} = 'Accepted')`,
      hasLicense: sql<boolean>`bool_or(${seats.isUse})`,
    })
    .from(seats)
    .leftJoin(members, eq(members.id, sql`coalesce(${seats.memberId}, ${ofAddress})`))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(
        inArray(seats.subscriptionId, subscriptionIds),
        eq(subscriptions.memberId, recipientId),
        isNull(seats.removedAt),
        or(eq(seats.status, 'Accepted'), isInvited),
        or(isNull(members.id), notInArray(members.id, [memberId, recipientId])),
        isNull(members.erasedAt),
        gt(key, after),
      ),
    )
    .groupBy(email, members.id)
    .orderBy(asc(key))
    .limit(limit)
}
