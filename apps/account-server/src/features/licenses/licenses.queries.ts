import type { CodeStatus, LicenseStatus, Relationship } from '@atrium/contract/licenses.ts'
import type { ListRange } from '@atrium/contract/range.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, prepared, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, gte, isNotNull, type SQL, sql } from 'drizzle-orm'
import { union } from 'drizzle-orm/pg-core'
import type { z } from 'zod'
import { rangeStart } from '../../db/range.rules.ts'
import { products } from '../catalog/catalog.tables.ts'
import { type AccessAt, accessAt, hasAccess, shownEnd } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { ownSeatType, seatsTaken } from '../team/team.queries.ts'
import { licenseContacts, licenseKeys, licenses } from './licenses.tables.ts'

const memberId = sql.placeholder('memberId')

/** Licenses of a member: those they are a contact of, and those of subscriptions they own. */
function licensesOfMember(db: Reader) {
  return db.$with('mine').as(
    union(
      db
        .select({ licenseId: licenseContacts.licenseId })
        .from(licenseContacts)
        .where(eq(licenseContacts.memberId, memberId)),
      db
        .select({ licenseId: licenses.id })
        .from(subscriptions)
        .innerJoin(licenses, eq(licenses.subscriptionId, subscriptions.id))
        // Said, not only meant: few licenses are a subscription's, and the planner must know how few to expect.
        .where(and(eq(subscriptions.memberId, memberId), isNotNull(licenses.subscriptionId))),
    ),
  )
}

/** What the member is to a license: the Holder of a subscription's license is its Owner, and nobody else. */
export const relationship = sql<Relationship>`case
  when ${subscriptions.memberId} = ${memberId} then 'Holder'
  when ${licenses.subscriptionId} is not null and ${licenseContacts.relationship} = 'Holder' then 'Contact'
  else ${licenseContacts.relationship}
end`

/** Whether a license is valid: not revoked, not expired, and of a subscription's that it gives access. */
export const isValid = sql<boolean>`(${licenses.revokedAt} is null and case
  when ${licenses.subscriptionId} is null then coalesce(${licenses.expiresAt} > ${accessAt.now}, true)
  else ${hasAccess(accessAt)}
end)`

/** Epoch seconds of a license's end; 0 means perpetual. */
export const expirationDate = sql<number>`coalesce(extract(epoch from case
  when ${licenses.subscriptionId} is null then ${licenses.expiresAt}
  else ${shownEnd()}
end)::bigint, 0)`.mapWith(Number)

/** Seats of a license: its own, or what its subscription has. */
export const licenseSeats = sql<number>`coalesce(${subscriptions.userCount}, ${licenses.seats})`

/** The first of a license's keys; null: it has none. */
const firstKey = sql<{ key: string; isRevoked: boolean } | null>`(
  select json_build_object('key', k.key, 'isRevoked', k.revoked_at is not null)
  from ${licenseKeys} k where k.license_id = ${licenses.id} order by k.position limit 1
)`

const productCode = sql<string>`coalesce(${subscriptions.productCode}, ${licenses.productCode})`

interface Filters {
  status: LicenseStatus | undefined
  range: ListRange | undefined
  keyWord: string
  /** Only what its Holder activates with a key. */
  from: 'device' | undefined
}

/** Which filters are set. */
type Shape = ReturnType<typeof shapeOf>

function shapeOf({ status, range, keyWord, from }: Filters) {
  return { status: status ?? 'any', range: range !== undefined, keyWord: keyWord !== '', from: from ?? 'any' } as const
}

function matching(shape: Shape): SQL | undefined {
  return and(
    shape.status === 'valid' ? isValid : undefined,
    shape.status === 'expired' ? sql`not ${isValid}` : undefined,
    shape.range ? gte(licenses.createdAt, sql.placeholder('since')) : undefined,
    shape.keyWord ? sql`lower(${licenses.id}) like ${sql.placeholder('pattern')}` : undefined,
  )
}

function activatedByHolder(shape: Pick<Shape, 'from'>): SQL | undefined {
  return shape.from === 'device'
    ? and(eq(licenses.activationMethod, 'keycode'), sql`${relationship} = 'Holder'`)
    : undefined
}

interface Asked extends Filters {
  member: Member
  access: AccessAt
}

function valuesOf({ member, access, range, keyWord }: Asked) {
  return {
    ...access,
    memberId: member.id,
    ...(range && { since: rangeStart(range, access.now) }),
    ...(keyWord !== '' && { pattern: containing(keyWord.toLowerCase()) }),
  }
}

/** The products of which the member has licenses, in the vendor's order, and how many of each match. */
export function licensedProducts(db: Reader, asked: Asked) {
  return countsBySku(db, shapeOf(asked)).execute(valuesOf(asked))
}

/** One page of the member's licenses of a product, newest first. */
export function pageOfLicenses(db: Reader, asked: Asked & { sku: string; limit: number; offset: number }) {
  const { sku, limit, offset } = asked
  return licensesPage(db, shapeOf(asked)).execute({ ...valuesOf(asked), sku, limit, offset })
}

/** One license of the member's, with what they are to it; `undefined` where they are nothing to it. */
export async function licenseOfMember(db: Reader, member: Member, licenseId: string, access: AccessAt) {
  const [found] = await oneLicense(db).execute({ ...access, memberId: member.id, licenseId })
  return found
}

/** The keys of a license in full, in the order in which they came. */
export function keysOfLicense(db: Reader, licenseId: string) {
  return allKeys(db).execute({ licenseId })
}

export function codeStatusOf(revokedAt: Date | null): z.infer<typeof CodeStatus> {
  return revokedAt === null ? 'active' : 'revoked'
}

const countsBySku = preparedShapes('license_counts', (db, name, shape: Shape) => {
  const mine = licensesOfMember(db)
  const all = matching(shape) ?? sql`true`
  return db
    .with(mine)
    .select({
      sku: products.sku,
      name: sql<string>`(array_agg(coalesce(nullif(${products.skuName}, ''), ${products.name})
        order by ${products.position}, ${products.code}))[1]`,
      total: sql<number>`count(*)::int`,
      matching: sql<number>`(count(*) filter (where ${all}))::int`,
    })
    .from(mine)
    .innerJoin(licenses, eq(licenses.id, mine.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, and(eq(licenseContacts.licenseId, licenses.id), eq(licenseContacts.memberId, memberId)))
    .innerJoin(products, eq(products.code, productCode))
    .where(activatedByHolder(shape))
    .groupBy(products.sku)
    .orderBy(sql`min(${products.position})`, products.sku)
    .prepare(name)
})

const licensesPage = preparedShapes('licenses_page', (db, name, shape: Shape) => {
  const mine = licensesOfMember(db)
  return db
    .with(mine)
    .select({
      id: licenses.id,
      subscriptionId: licenses.subscriptionId,
      productCode: products.code,
      productName: products.name,
      flags: products.flags,
      downloads: products.downloads,
      version: licenses.version,
      language: licenses.language,
      edition: licenses.edition,
      platform: licenses.platform,
      createdAt: licenses.createdAt,
      activationMethod: licenses.activationMethod,
      acLiceId: licenses.acLiceId,
      userRole: licenseContacts.userRole,
      relationship,
      seats: licenseSeats,
      expirationDate,
      isValid,
      userCount: subscriptions.userCount,
      ownSeatType: ownSeatType(memberId),
      seatsTaken: seatsTaken(subscriptions.id, accessAt.now),
      firstKey,
    })
    .from(mine)
    .innerJoin(licenses, eq(licenses.id, mine.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, and(eq(licenseContacts.licenseId, licenses.id), eq(licenseContacts.memberId, memberId)))
    .innerJoin(products, eq(products.code, productCode))
    .where(and(eq(products.sku, sql.placeholder('sku')), activatedByHolder(shape), matching(shape)))
    .orderBy(desc(licenses.createdAt), desc(licenses.id))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name)
})

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
