import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { seats } from '../team/team.tables.ts'
import { emailDevices } from './devices.tables.ts'

const memberId = sql.placeholder('memberId')

/** Seats whose devices a member sees: their own, and all of the subscriptions they own. */
function visibleSeats(db: Reader) {
  return union(
    db
      .select({ id: seats.id })
      .from(seats)
      .where(and(eq(seats.memberId, memberId), eq(seats.status, 'Accepted'), isNull(seats.removedAt))),
    db
      .select({ id: seats.id })
      .from(subscriptions)
      .innerJoin(seats, eq(seats.subscriptionId, subscriptions.id))
      .where(eq(subscriptions.memberId, memberId)),
  )
}

/** Whether a device is active: it was not deactivated, and the seat it hangs on is one that uses a license. */
export const isActive: SQL<boolean> = sql<boolean>`(
  ${emailDevices.deactivatedAt} is null and ${seats.removedAt} is null and ${seats.isUse} and ${seats.status} = 'Accepted'
)`

const fields = {
  id: emailDevices.id,
  hostName: emailDevices.hostName,
  mac: emailDevices.mac,
  appName: emailDevices.appName,
  appVersion: emailDevices.appVersion,
  updatedAt: emailDevices.updatedAt,
  email: seats.email,
  subscriptionId: subscriptions.id,
  subscriptionStatus: subscriptions.status,
  isActive,
}

/** Devices activated by e-mail that a member sees, newest first, and how many there are. */
export async function emailDevicesOfMember(db: Reader, member: Member, { page, pageSize }: PageQuery) {
  const [list, [counted]] = await Promise.all([
    emailDevicesPage(db).execute({ memberId: member.id, limit: pageSize, offset: (page - 1) * pageSize }),
    emailDevicesCount(db).execute({ memberId: member.id }),
  ])
  return { list, total: counted?.total ?? 0 }
}

/** One of them, under lock; `undefined` where the member does not see it. */
export async function lockEmailDevice(tx: Tx, member: Member, id: string) {
  await tx.select({ id: emailDevices.id }).from(emailDevices).where(eq(emailDevices.id, id)).for('update')
  const [device] = await tx
    .select(fields)
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .where(
      and(
        eq(emailDevices.id, id),
        sql`(${subscriptions.memberId} = ${member.id}
          or (${seats.memberId} = ${member.id} and ${seats.status} = 'Accepted' and ${seats.removedAt} is null))`,
      ),
    )
  return device
}

const emailDevicesPage = prepared('email_devices_page', (db, name) =>
  db
    .select(fields)
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .where(inArray(emailDevices.seatId, visibleSeats(db)))
    .orderBy(descending(emailDevices.updatedAt), asc(emailDevices.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const emailDevicesCount = prepared('email_devices_count', (db, name) =>
  db
    .select({ total: sql<number>`count(*)::int` })
    .from(emailDevices)
    .where(inArray(emailDevices.seatId, visibleSeats(db)))
    .prepare(name),
)
