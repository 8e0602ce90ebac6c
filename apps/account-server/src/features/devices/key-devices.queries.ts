import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { descending, preparedShapes, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, asc, eq, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { isValid, keySeats, productCode, relationship } from '../licenses/licenses.queries.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import type { AccessAt } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { deviceSearch, isFound } from './device-search.rules.ts'
import { countedSince } from './devices.rules.ts'
import { keyDevices } from './devices.tables.ts'
import { activeDevices } from './license-keys.queries.ts'

const memberId = sql.placeholder('memberId')
const keyId = sql.placeholder('keyId')

/** Whether the member is Holder, Partner or Contact of the key's license. */
const isTheirs = sql`(${subscriptions.memberId} = ${memberId} or ${licenseContacts.memberId} is not null)`

export interface AskedKey {
  /** The key's opaque id. */
  code: string
  /** What its devices are searched for; empty: all. */
  keyWord?: string
}

/** A key of one of the member's licenses, with its device counts; undefined if the member has no relationship to it. */
export async function keyOfMember(db: Reader, member: Member, { code, keyWord = '' }: AskedKey, access: AccessAt) {
  const since = countedSince(access.now)
  const values = { ...access, memberId: member.id, keyId: code, since, ...deviceSearch(keyWord) }
  const [found] = await oneKey(db, { isSearch: keyWord !== '' }).execute(values)
  return found
}

/** The key's row is the lock: two tabs cannot both use the last deactivation. */
export async function lockKey(tx: Tx, code: string): Promise<void> {
  await tx.select({ id: licenseKeys.id }).from(licenseKeys).where(eq(licenseKeys.id, code)).for('update')
}

/** The matching devices of a key, newest first. */
export function pageOfKeyDevices(db: Reader, { code, keyWord = '', page, pageSize }: AskedKey & PageQuery) {
  const values = { keyId: code, ...deviceSearch(keyWord), limit: pageSize, offset: (page - 1) * pageSize }
  return keyDevicesPage(db, { isSearch: keyWord !== '' }).execute(values)
}

/** A device of a key; undefined if there is none. */
export async function keyDeviceOf(tx: Tx, code: string, id: string) {
  const [device] = await tx
    .select()
    .from(keyDevices)
    .where(and(eq(keyDevices.keyId, code), eq(keyDevices.id, id)))
  return device
}

/** All devices of a key for its export, up to the limit of a reply. */
export function allKeyDevices(db: Reader, code: string) {
  return db
    .select()
    .from(keyDevices)
    .where(eq(keyDevices.keyId, code))
    .orderBy(descending(keyDevices.requestedAt), asc(keyDevices.id))
    .limit(50_000)
}

/** Whether the devices of a key are searched. */
interface Shape extends Readonly<Record<string, boolean>> {
  isSearch: boolean
}

/** Whether a device is found, by its table's name in the statement. */
const isFoundAs = (name: string) =>
  isFound({ texts: [sql.raw(`${name}.pc_name`)], mac: sql.raw(`${name}.mac_address`) })

const oneKey = preparedShapes('key_of_member', (db, name, { isSearch }: Shape) =>
  db
    .select({
      id: licenseKeys.id,
      key: licenseKeys.key,
      revokedAt: licenseKeys.revokedAt,
      licenseId: licenses.id,
      productName: products.name,
      relationship,
      isValid,
      seats: keySeats,
      activeDevices,
      total: sql<number>`(
        select count(*)::int from ${keyDevices} d
        where d.key_id = ${licenseKeys.id} and ${isSearch ? isFoundAs('d') : sql`true`}
      )`,
      /** Deactivations in the page that count against the year's allowance. */
      spent: sql<number>`(
        select count(*)::int from ${keyDevices} d
        where d.key_id = ${licenseKeys.id} and d.deactivated_by = 'member' and d.deactivated_at > ${sql.placeholder('since')}
      )`,
    })
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, and(eq(licenseContacts.licenseId, licenses.id), eq(licenseContacts.memberId, memberId)))
    .innerJoin(products, eq(products.code, productCode))
    .where(and(eq(licenseKeys.id, keyId), isTheirs))
    .prepare(name),
)

const keyDevicesPage = preparedShapes('key_devices_page', (db, name, { isSearch }: Shape) =>
  db
    .select()
    .from(keyDevices)
    .where(and(eq(keyDevices.keyId, keyId), isSearch ? isFoundAs('key_devices') : undefined))
    .orderBy(descending(keyDevices.requestedAt), asc(keyDevices.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)
