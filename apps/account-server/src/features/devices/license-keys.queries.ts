import type { PageQuery } from '@atrium/contract/page.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { asc, eq, sql } from 'drizzle-orm'
import { keySeats } from '../licenses/licenses.queries.ts'
import { licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { keyDevices } from './devices.tables.ts'

/** Number of active devices of a key. */
export const activeDevices = sql<number>`(
  select count(*)::int from ${keyDevices} d where d.key_id = ${licenseKeys.id} and d.deactivated_at is null
)`

/** One page of a license's keys in import order, with their active devices counted. */
export function pageOfKeys(db: Reader, licenseId: string, { page, pageSize }: PageQuery) {
  return keysPage(db).execute({ licenseId, limit: pageSize, offset: (page - 1) * pageSize })
}

/** All keys of a license: those with a free seat first, revoked ones last. */
export function keysByFreeSeats(db: Reader, licenseId: string) {
  return allKeys(db).execute({ licenseId })
}

const keyFields = {
  id: licenseKeys.id,
  key: licenseKeys.key,
  revokedAt: licenseKeys.revokedAt,
  seats: keySeats,
  activeDevices,
}

const keysPage = prepared('license_keys_page', (db, name) =>
  db
    .select(keyFields)
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .where(eq(licenseKeys.licenseId, sql.placeholder('licenseId')))
    .orderBy(asc(licenseKeys.position))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const allKeys = prepared('license_keys_by_free_seats', (db, name) =>
  db
    .select(keyFields)
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .where(eq(licenseKeys.licenseId, sql.placeholder('licenseId')))
    .orderBy(sql`${licenseKeys.revokedAt} is not null`, sql`${activeDevices} >= ${keySeats}`, asc(licenseKeys.position))
    .prepare(name),
)
