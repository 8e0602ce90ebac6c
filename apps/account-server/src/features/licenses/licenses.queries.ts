import type { CodeStatus, Relationship } from '@atrium/contract/licenses.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { products } from '../catalog/catalog.tables.ts'
import { type AccessAt, accessAt, hasAccess, shownEnd } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { licenseContacts, licenseKeys, licenses } from './licenses.tables.ts'

const memberId = sql.placeholder('memberId')

/** Both tables with a license's columns: its own, and its contacts'. */
type Carrier = typeof licenses | typeof licenseContacts

/** A member's relationship to a license: the Holder of a subscription's license is its Owner, nobody else. */
export const relationship = sql<Relationship>`case
  when ${subscriptions.memberId} = ${memberId} then 'Holder'
  when ${licenseContacts.subscriptionId} is not null and ${licenseContacts.relationship} = 'Holder' then 'Contact'
  else ${licenseContacts.relationship}
end`

/** Whether a license without a subscription is valid: not revoked, and not expired. */
export function isValidOwn({ revokedAt, expiresAt }: Carrier): SQL<boolean> {
  return sql<boolean>`(${revokedAt} is null and coalesce(${expiresAt} > ${accessAt.now}, true))`
}

/** Whether a license of a subscription is valid: not revoked, and the subscription gives access. */
export function isValidSubscribed({ revokedAt }: Carrier): SQL<boolean> {
  return sql<boolean>`(${revokedAt} is null and ${hasAccess(accessAt)})`
}

export const isValid = sql<boolean>`(case
  when ${licenses.subscriptionId} is null then ${isValidOwn(licenses)}
  else ${isValidSubscribed(licenses)}
end)`

/** Epoch seconds of a license's end; 0 means perpetual. */
export const expirationDate = sql<number>`coalesce(extract(epoch from case
  when ${licenses.subscriptionId} is null then ${licenses.expiresAt}
  else ${shownEnd(accessAt)}
end)::bigint, 0)`.mapWith(Number)

/** Seats of a license: its own, or its subscription's. */
export const licenseSeats = sql<number>`coalesce(${subscriptions.userCount}, ${licenses.seats})`

/** Seats of a key: its own, or those of its license. */
export const keySeats = sql<number>`coalesce(${licenseKeys.seats}, ${licenseSeats})`

/** The first of a license's keys, or null. */
export const firstKey = sql<{ key: string; isRevoked: boolean } | null>`(
  select json_build_object('key', k.key, 'isRevoked', k.revoked_at is not null)
  from ${licenseKeys} k where k.license_id = ${licenses.id} order by k.position limit 1
)`

/** Product of a license: its own, or its subscription's. */
export const productCode = sql<string>`coalesce(${subscriptions.productCode}, ${licenses.productCode})`

/** Whether the query's product is a program that is activated: connectors and storage are none. */
export const isProgram = sql<boolean>`(not ${products.flags} && array['connector', 'storage'])`

/** One of the member's licenses, with the relationship; undefined if there is none. */
export async function licenseOfMember(db: Reader, member: Member, licenseId: string, access: AccessAt) {
  const [found] = await oneLicense(db).execute({ ...access, memberId: member.id, licenseId })
  return found
}

/** The full keys of a license, in import order. */
export function keysOfLicense(db: Reader, licenseId: string) {
  return allKeys(db).execute({ licenseId })
}

export function codeStatusOf(revokedAt: Date | null): z.infer<typeof CodeStatus> {
  return revokedAt === null ? 'active' : 'revoked'
}

const oneLicense = prepared('license_of_member', (db, name) =>
  db
    .select({
      id: licenses.id,
      productName: products.name,
      version: licenses.version,
      edition: licenses.edition,
      platform: licenses.platform,
      language: licenses.language,
      activationMethod: licenses.activationMethod,
      relationship,
      seats: licenseSeats,
      expirationDate,
      isValid,
      firstKey,
      keyCount: sql<number>`(select count(*)::int from ${licenseKeys} k where k.license_id = ${licenses.id})`,
    })
    .from(licenses)
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, and(eq(licenseContacts.licenseId, licenses.id), eq(licenseContacts.memberId, memberId)))
    .innerJoin(products, eq(products.code, productCode))
    .where(
      and(
        eq(licenses.id, sql.placeholder('licenseId')),
        sql`(${subscriptions.memberId} = ${memberId} or ${licenseContacts.memberId} is not null)`,
      ),
    )
    .prepare(name),
)

const allKeys = prepared('license_keys_all', (db, name) =>
  db
    .select()
    .from(licenseKeys)
    .where(eq(licenseKeys.licenseId, sql.placeholder('licenseId')))
    .orderBy(asc(licenseKeys.position))
    .prepare(name),
)

/** Whether any of these subscriptions has a license with a key that is good. */
export async function haveKeys(db: Reader, subscriptionIds: readonly string[]): Promise<boolean> {
  const isGood = and(isNull(licenses.revokedAt), isNull(licenseKeys.revokedAt))
  const [found] = await db
    .select({ id: licenseKeys.id })
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .where(and(inArray(licenses.subscriptionId, [...subscriptionIds]), isGood))
    .limit(1)
  return found !== undefined
}
