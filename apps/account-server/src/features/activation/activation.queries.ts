import { prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { products } from '../catalog/catalog.tables.ts'
import { emailDevices, keyDevices } from '../devices/devices.tables.ts'
import { isActive } from '../devices/email-devices.queries.ts'
import { activeDevices } from '../devices/license-keys.queries.ts'
import { isProgram, isValid, keySeats, productCode } from '../licenses/licenses.queries.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { isKnownByAddressAlone } from '../subscriptions/known-by-address.queries.ts'
import { isPaidSeat } from '../subscriptions/seats.queries.ts'
import { seats } from '../subscriptions/seats.tables.ts'
import { type AccessAt, accessAt, hasAccess, programEnd } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** The entered key, locked: activations of one key are serialized. */
export async function lockKeyTyped(tx: Tx, key: string) {
  const [found] = await lockedKey(tx).execute({ key })
  return found
}

/** What an activation needs to know of a key: its license, seats and active devices. */
export async function keyFacts(tx: Tx, keyId: string, macAddress: string, access: AccessAt) {
  const [facts] = await factsOfKey(tx).execute({ ...access, keyId, macAddress })
  return facts
}

/** The member in whose account an activation with a key happens. */
const holderId = sql<string | null>`coalesce(${subscriptions.memberId}, (
  select c.member_id from ${licenseContacts} c join ${members} m on m.id = c.member_id
  where c.license_id = ${licenses.id} and c.relationship = 'Holder' and m.erased_at is null order by c.member_id limit 1
))`

/** Whether a device may run with a license: it is valid, and its product is a program, perhaps no longer the one it was made for. */
const isLicensed = sql<boolean>`(${isValid} and ${isProgram})`

/** Epoch seconds of the end that a program is told, whether it asks again before or not; 0 means perpetual. */
const licenseEnd = sql<number>`coalesce(extract(epoch from case
  when ${licenses.subscriptionId} is null then ${licenses.expiresAt}
  else ${programEnd(accessAt)}
end)::bigint, 0)`.mapWith(Number)

/**
 * Whether the query's device, which is active, may run with its key: of more than the key of a subscription has seats now, those that were
 * activated first. A license of its own keeps what the vendor has allowed.
 */
const isPaidDevice = sql<boolean>`(${licenses.subscriptionId} is null or ${keySeats} > (
  select count(*) from ${keyDevices} first
  where first.key_id = ${licenseKeys.id} and first.deactivated_at is null
    and (first.requested_at, first.id) < (${keyDevices.requestedAt}, ${keyDevices.id})
))`

const lockedKey = prepared('activation_lock_key', (db, name) =>
  db
    .select({ id: licenseKeys.id, key: licenseKeys.key, revokedAt: licenseKeys.revokedAt })
    .from(licenseKeys)
    .where(eq(licenseKeys.key, sql.placeholder('key')))
    .for('update')
    .prepare(name),
)

const factsOfKey = prepared('activation_key_facts', (db, name) =>
  db
    .select({
      licenseId: licenses.id,
      productCode,
      isValid: isLicensed,
      expirationDate: licenseEnd,
      seats: keySeats,
      activeDevices,
      /** Of the same device, if it is active already. */
      deviceId: keyDevices.id,
      isPaidDevice,
      holderId,
    })
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .innerJoin(products, eq(products.code, productCode))
    .leftJoin(
      keyDevices,
      and(
        eq(keyDevices.keyId, licenseKeys.id),
        eq(keyDevices.macAddress, sql.placeholder('macAddress')),
        isNull(keyDevices.deactivatedAt),
      ),
    )
    .where(eq(licenseKeys.id, sql.placeholder('keyId')))
    .prepare(name),
)

/** Epoch seconds of a subscription's end; 0 means none. */
const subscriptionEnd = sql<number>`coalesce(extract(epoch from ${programEnd(accessAt)})::bigint, 0)`.mapWith(Number)

/** Whether a seat may be used: its subscription gives access to a program, and not all of its licenses are revoked. */
const isUsable = sql<boolean>`(${hasAccess(accessAt)} and ${isProgram} and coalesce((
  select bool_or(l.revoked_at is null) from ${licenses} l where l.subscription_id = ${subscriptions.id}
), true))`

/** A member's seats for a product, locked: those with access first, and among these the ones that only an address gave last. */
export async function lockSeats(tx: Tx, memberId: string, productCode: string, access: AccessAt) {
  await lockedSeats(tx).execute({ memberId })
  return seatsOfProduct(tx).execute({ ...access, memberId, productCode })
}

/** All seats of a member in a fixed order, so that concurrent activations cannot deadlock. */
const lockedSeats = prepared('activation_lock_seats', (db, name) =>
  db
    .select({ id: seats.id })
    .from(seats)
    .where(eq(seats.memberId, sql.placeholder('memberId')))
    .orderBy(seats.id)
    .for('update')
    .prepare(name),
)

const seatsOfProduct = prepared('activation_seats', (db, name) =>
  db
    .select({
      id: seats.id,
      email: seats.email,
      subscriptionId: subscriptions.id,
      ownerId: subscriptions.memberId,
      isValid: isUsable,
      isPaid: isPaidSeat,
      expirationDate: subscriptionEnd,
      licenseId: sql<string | null>`(
        select l.id from ${licenses} l where l.subscription_id = ${subscriptions.id}
        order by l.revoked_at is not null, l.created_at desc limit 1
      )`,
    })
    .from(seats)
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(
      and(
        eq(seats.memberId, sql.placeholder('memberId')),
        eq(seats.status, 'Accepted'),
        eq(seats.isUse, true),
        isNull(seats.removedAt),
        eq(subscriptions.productCode, sql.placeholder('productCode')),
      ),
    )
    .orderBy(desc(isUsable), isKnownByAddressAlone(), seats.id)
    .prepare(name),
)

/** Number of active devices on a seat. */
export function activeOnSeat(tx: Tx, seatId: string) {
  return tx
    .select({ id: emailDevices.id, mac: emailDevices.mac, appName: emailDevices.appName })
    .from(emailDevices)
    .where(and(eq(emailDevices.seatId, seatId), isNull(emailDevices.deactivatedAt)))
}

/** An activation with a key, and whether the device may still run. */
export async function keyActivation(db: Reader, tokenHash: string, access: AccessAt) {
  const [found] = await oneKeyActivation(db).execute({ ...access, tokenHash })
  return found
}

/** An activation by e-mail, and whether the device may still run. */
export async function emailActivation(db: Reader, tokenHash: string, access: AccessAt) {
  const [found] = await oneEmailActivation(db).execute({ ...access, tokenHash })
  return found
}

const oneKeyActivation = prepared('activation_by_key', (db, name) =>
  db
    .select({
      deviceId: keyDevices.id,
      mac: keyDevices.macAddress,
      heldBy: keyDevices.keyId,
      isActive: sql<boolean>`(${keyDevices.deactivatedAt} is null and ${licenseKeys.revokedAt} is null)`,
      isValid: sql<boolean>`(${isLicensed} and ${isPaidDevice})`,
      productCode,
      expirationDate: licenseEnd,
      holderId,
      // Who has typed the key is not known.
      isColleagues: sql<boolean>`false`,
      email: sql<string | null>`null`,
    })
    .from(keyDevices)
    .innerJoin(licenseKeys, eq(licenseKeys.id, keyDevices.keyId))
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .innerJoin(products, eq(products.code, productCode))
    .where(eq(keyDevices.tokenHash, sql.placeholder('tokenHash')))
    .prepare(name),
)

const oneEmailActivation = prepared('activation_by_email', (db, name) =>
  db
    .select({
      deviceId: emailDevices.id,
      mac: emailDevices.mac,
      heldBy: emailDevices.seatId,
      isActive,
      isValid: sql<boolean>`(${isUsable} and ${isPaidSeat})`,
      productCode: subscriptions.productCode,
      expirationDate: subscriptionEnd,
      holderId: sql<string | null>`${subscriptions.memberId}`,
      isColleagues: sql<boolean>`(${seats.memberId} is distinct from ${subscriptions.memberId})`,
      email: sql<string | null>`${seats.email}`,
    })
    .from(emailDevices)
    .innerJoin(seats, eq(seats.id, emailDevices.seatId))
    .innerJoin(subscriptions, eq(subscriptions.id, seats.subscriptionId))
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(eq(emailDevices.tokenHash, sql.placeholder('tokenHash')))
    .prepare(name),
)
