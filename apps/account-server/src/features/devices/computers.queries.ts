import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { productCode } from '../licenses/licenses.queries.ts'
import { licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { emailDevices, keyDevices } from './devices.tables.ts'
import { isActive, visibleDevices } from './email-devices.queries.ts'
import { heldLicenses } from './found-keys.queries.ts'

/** A device on a computer, with what decides whether it can be released. */
export type DeviceOnComputer = Awaited<ReturnType<typeof computerOfDevice>>[number]

/**
 * All devices of the computer that a device is on, also inactive ones, among those that the member may deactivate; none if the
 * device itself is not among them. A computer is known by its name and MAC address, however its digits are separated.
 */
export async function computerOfDevice(db: Reader, member: Member, id: string) {
  const values = { memberId: member.id, id }
  const [byEmail, byKey] = await Promise.all([emailOnes(db).execute(values), keyOnes(db).execute(values)])
  const all = [...byEmail, ...byKey]
  return all.some((device) => device.id === id) ? all : []
}

const id = sql.placeholder('id')

/** What a computer is known by. */
const knownBy = (name: SQLWrapper, mac: SQLWrapper): SQL => sql`lower(${name}), translate(lower(${mac}), '.:-', '')`

/** Whether a device is on the computer of the device with the id. */
const isOnComputer = (name: SQLWrapper, mac: SQLWrapper): SQL => sql`(${knownBy(name, mac)}) in (
  select ${knownBy(sql`e.host_name`, sql`e.mac`)} from ${emailDevices} e where e.id = ${id}
  union all
  select ${knownBy(sql`k.pc_name`, sql`k.mac_address`)} from ${keyDevices} k where k.id = ${id}
)`

const none = sql<string>`''`

const emailOnes = prepared('computer_email_devices', (db, name) => {
  const visible = visibleDevices(db, { isSearch: false })
  return db
    .with(visible)
    .select({
      id: emailDevices.id,
      method: sql<'email' | 'keycode'>`'email'`,
      name: emailDevices.hostName,
      macAddress: emailDevices.mac,
      productName: products.name,
      appVersion: emailDevices.appVersion,
      email: seats.email,
      keyId: none,
      isActive,
    })
    .from(visible)
    .innerJoin(emailDevices, eq(emailDevices.id, visible.id))
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(isOnComputer(emailDevices.hostName, emailDevices.mac))
    .orderBy(asc(products.name), asc(emailDevices.id))
    .prepare(name)
})

const keyOnes = prepared('computer_key_devices', (db, name) => {
  const held = heldLicenses(db)
  return db
    .with(held)
    .select({
      id: keyDevices.id,
      method: sql<'email' | 'keycode'>`'keycode'`,
      name: keyDevices.pcName,
      macAddress: keyDevices.macAddress,
      productName: products.name,
      appVersion: keyDevices.appVersion,
      email: none,
      keyId: sql<string>`${licenseKeys.id}::text`,
      isActive: sql<boolean>`${keyDevices.deactivatedAt} is null`,
    })
    .from(held)
    .innerJoin(licenses, eq(licenses.id, held.id))
    .innerJoin(licenseKeys, eq(licenseKeys.licenseId, licenses.id))
    .innerJoin(keyDevices, eq(keyDevices.keyId, licenseKeys.id))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .innerJoin(products, eq(products.code, productCode))
    .where(isOnComputer(keyDevices.pcName, keyDevices.macAddress))
    .orderBy(asc(products.name), asc(keyDevices.id))
    .prepare(name)
})
