import type { searchKeys } from '@atrium/contract/devices.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, isNull, or, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { products } from '../catalog/catalog.tables.ts'
import { keySeats, productCode } from '../licenses/licenses.queries.ts'
import { shownLast } from '../licenses/licenses.rules.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { deviceSearch, isFound } from './device-search.rules.ts'
import { keyDevices } from './devices.tables.ts'
import { activeDevices } from './license-keys.queries.ts'

const memberId = sql.placeholder('memberId')
const keyWord = sql`${sql.placeholder('keyWord')}::text`

/** A page of the keys that are found among those of which the member is the Holder, and their number. */
export async function foundKeysOf(
  db: Reader,
  member: Member,
  { keyWord, page, pageSize }: z.output<typeof searchKeys.query>,
) {
  const values = { memberId: member.id, keyWord, ...deviceSearch(keyWord) }
  const [list, [counted]] = await Promise.all([
    foundKeysPage(db).execute({ ...values, limit: pageSize, offset: (page - 1) * pageSize }),
    foundKeysCount(db).execute(values),
  ])
  return { list, total: counted?.total ?? 0 }
}

/** The licenses of which the member is the Holder. */
export function heldLicenses(db: Reader) {
  const { licenseId, relationship, subscriptionId } = licenseContacts
  const ofOwned = db
    .select({ id: licenses.id })
    .from(subscriptions)
    .innerJoin(licenses, eq(licenses.subscriptionId, subscriptions.id))
    .where(eq(subscriptions.memberId, memberId))
  const own = db
    .select({ id: licenseId })
    .from(licenseContacts)
    .where(and(eq(licenseContacts.memberId, memberId), eq(relationship, 'Holder'), isNull(subscriptionId)))
  return db.$with('held').as(unionAll(ofOwned, own))
}

const { pcName, macAddress, keyId, requestedAt } = keyDevices

const devicesFound = sql`from ${keyDevices}
  where ${keyId} = ${licenseKeys.id} and ${isFound({ texts: [pcName], mac: macAddress })}`

/** By its end only as far as it is shown, or as a whole: nobody can guess the rest of a key letter by letter. */
const isKeyFound = or(
  sql`upper(${licenseKeys.key}) = upper(${keyWord})`,
  sql`length(${keyWord}) between 3 and ${sql.raw(String(shownLast))}
    and upper(right(${licenseKeys.key}, length(${keyWord}))) = upper(${keyWord})`,
  sql`lower(${licenseKeys.licenseId}) like lower(${sql.placeholder('pattern')})`,
  sql`exists (select ${devicesFound})`,
)

const foundKeysPage = prepared('found_keys_page', (db, name) => {
  const held = heldLicenses(db)
  return db
    .with(held)
    .select({
      id: licenseKeys.id,
      key: licenseKeys.key,
      revokedAt: licenseKeys.revokedAt,
      licenseId: licenses.id,
      productName: products.name,
      seats: keySeats,
      activeDevices,
      computers: sql<string[]>`array(select ${pcName} ${devicesFound} order by ${requestedAt} desc limit 3)`,
      foundDevices: sql<number>`(select count(*)::int ${devicesFound})`,
    })
    .from(held)
    .innerJoin(licenses, eq(licenses.id, held.id))
    .innerJoin(licenseKeys, eq(licenseKeys.licenseId, licenses.id))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .innerJoin(products, eq(products.code, productCode))
    .where(isKeyFound)
    .orderBy(asc(licenses.id), asc(licenseKeys.position))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name)
})

const foundKeysCount = prepared('found_keys_count', (db, name) => {
  const held = heldLicenses(db)
  return db
    .with(held)
    .select({ total: sql<number>`count(*)::int` })
    .from(held)
    .innerJoin(licenseKeys, eq(licenseKeys.licenseId, held.id))
    .where(isKeyFound)
    .prepare(name)
})
