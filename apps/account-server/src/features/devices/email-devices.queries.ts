import type { listEmailDevices } from '@atrium/contract/devices.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, preparedShapes, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, count, eq, inArray, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { products } from '../catalog/catalog.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { deviceSearch, isFound } from './device-search.rules.ts'
import { emailDevices } from './devices.tables.ts'

const memberId = sql.placeholder('memberId')

/** Whether the devices are searched. */
interface Shape extends Readonly<Record<string, boolean>> {
  isSearch: boolean
}

/** Devices visible to a member: all of the subscriptions they own, and those on their own seats in others. */
export function visibleDevices(db: Reader, { isSearch }: Shape) {
  const device = { id: emailDevices.id, updatedAt: emailDevices.updatedAt }
  const { hostName, mac, seatId } = emailDevices
  const user = sql`(select u.email from ${seats} u where u.id = ${seatId})`
  const found = isSearch ? isFound({ texts: [hostName, user], mac }) : undefined
  const ofOwned = db
    .select(device)
    .from(subscriptions)
    .innerJoin(emailDevices, eq(emailDevices.subscriptionId, subscriptions.id))
    .where(and(eq(subscriptions.memberId, memberId), found))
  const own = db
    .select(device)
    .from(seats)
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(emailDevices, eq(emailDevices.seatId, seats.id))
    .where(
      and(
        eq(seats.memberId, memberId),
        eq(seats.status, 'Accepted'),
        isNull(seats.removedAt),
        ne(subscriptions.memberId, memberId),
        found,
      ),
    )
  return db.$with('visible').as(unionAll(ofOwned, own))
}

/** Whether a device is active: not deactivated, and on a seat that holds a license. */
export const isActive: SQL<boolean> = sql<boolean>`(
  ${emailDevices.deactivatedAt} is null and ${seats.removedAt} is null and ${seats.isUse} and ${seats.status} = 'Accepted'
)`

/** How many devices are active in each of these subscriptions. */
export async function activeDevicesBySubscription(db: Reader, subscriptionIds: readonly string[]) {
  const { subscriptionId } = emailDevices
  const rows = await db
    .select({ subscriptionId, devices: count() })
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .where(and(inArray(subscriptionId, [...subscriptionIds]), isActive))
    .groupBy(subscriptionId)
  return new Map(rows.map((row) => [row.subscriptionId, row.devices]))
}

/** The active devices on a seat, newest first. */
export function activeDevicesOfSeat(db: Reader, seatId: string) {
  const { id, hostName, appName } = emailDevices
  return db
    .select({ id, hostName, appName })
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .where(and(eq(emailDevices.seatId, seatId), isActive))
    .orderBy(descending(emailDevices.updatedAt), asc(id))
}

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
  productName: products.name,
  isActive,
  /** Not known of a seat that gave its license up. */
  inactiveSince: sql<Date | null>`least(${emailDevices.deactivatedAt}, ${seats.removedAt})`.mapWith(
    emailDevices.deactivatedAt,
  ),
}

/** A page of the matching e-mail devices visible to a member, newest first, and their number. */
export async function emailDevicesOfMember(
  db: Reader,
  member: Member,
  { page, pageSize, keyWord }: z.output<typeof listEmailDevices.query>,
) {
  const shape = { isSearch: keyWord !== '' }
  const values = { memberId: member.id, ...deviceSearch(keyWord) }
  const [list, [counted]] = await Promise.all([
    emailDevicesPage(db, shape).execute({ ...values, limit: pageSize, offset: (page - 1) * pageSize }),
    emailDevicesCount(db, shape).execute(values),
  ])
  return { list, total: counted?.total ?? 0 }
}

/** One of them, locked; undefined if not visible to the member. */
export async function lockEmailDevice(tx: Tx, member: Member, id: string) {
  await tx.select({ id: emailDevices.id }).from(emailDevices).where(eq(emailDevices.id, id)).for('update')
  const [device] = await tx
    .select(fields)
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(
        eq(emailDevices.id, id),
        sql`(${subscriptions.memberId} = ${member.id}
          or (${seats.memberId} = ${member.id} and ${seats.status} = 'Accepted' and ${seats.removedAt} is null))`,
      ),
    )
  return device
}

const emailDevicesPage = preparedShapes('email_devices_page', (db, name, shape: Shape) => {
  const visible = visibleDevices(db, shape)
  const shown = db
    .$with('shown')
    .as(
      db
        .select({ id: visible.id })
        .from(visible)
        .orderBy(descending(visible.updatedAt), asc(visible.id))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    )
  return db
    .with(visible, shown)
    .select(fields)
    .from(shown)
    .innerJoin(emailDevices, eq(emailDevices.id, shown.id))
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .orderBy(descending(emailDevices.updatedAt), asc(emailDevices.id))
    .prepare(name)
})

const emailDevicesCount = preparedShapes('email_devices_count', (db, name, shape: Shape) => {
  const visible = visibleDevices(db, shape)
  return db.with(visible).select({ total: sql<number>`count(*)::int` }).from(visible).prepare(name)
})
