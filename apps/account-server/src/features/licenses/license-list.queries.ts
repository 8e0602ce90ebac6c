import type { LicenseStatus, Relationship } from '@atrium/contract/licenses.ts'
import type { ListRange } from '@atrium/contract/range.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, descending, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, eq, gte, isNotNull, isNull, lt, ne, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import { rangeBounds } from '../../db/range.rules.ts'
import { products } from '../catalog/catalog.tables.ts'
import { ownSeatType, seatsTaken } from '../subscriptions/seats.queries.ts'
import { type AccessAt, accessAt } from '../subscriptions/subscriptions.rules.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import {
  expirationDate,
  firstKey,
  isValid,
  isValidOwn,
  isValidSubscribed,
  licenseSeats,
  productCode,
  relationship,
} from './licenses.queries.ts'
import { licenseContacts, licenses } from './licenses.tables.ts'

const memberId = sql.placeholder('memberId')

interface Filters {
  status: LicenseStatus | undefined
  range: ListRange | undefined
  keyWord: string
  /** `device`: only licenses with activation by key, for their Holder. */
  from: 'device' | undefined
}

interface Asked extends Filters {
  member: Member
  access: AccessAt
}

/** The products of the member's licenses, in the vendor's order, with the number of matches. */
export function licensedProducts(db: Reader, asked: Asked) {
  return countsBySku(db, shapeOf(asked)).execute(valuesOf(asked))
}

/** One page of the member's licenses of a product, newest first. */
export function pageOfLicenses(db: Reader, asked: Asked & { sku: string; limit: number; offset: number }) {
  const { sku, limit, offset } = asked
  return licensesPage(db, shapeOf(asked)).execute({ ...valuesOf(asked), sku, limit, offset })
}

/**
 * The columns for the list of a member's licenses. A contact may have thousands, so they are read from the denormalized columns
 * of the contacts, without a join.
 */
export function licensesOfMember(db: Reader) {
  return db.$with('mine').as(unionAll(ownLicenses(db), subscribedLicenses(db), licensesOfOwner(db)))
}

/** Licenses without a subscription. */
function ownLicenses(db: Reader) {
  const { licenseId, createdAt, activationMethod, productCode, relationship } = licenseContacts
  return db
    .select({
      licenseId,
      createdAt,
      activationMethod,
      productCode,
      relationship,
      isValid: isValidOwn(licenseContacts).as('is_valid'),
    })
    .from(licenseContacts)
    .where(and(eq(licenseContacts.memberId, memberId), isNull(licenseContacts.subscriptionId)))
}

/** Licenses of subscriptions of which the member is not the Owner. */
function subscribedLicenses(db: Reader) {
  const { licenseId, createdAt, activationMethod } = licenseContacts
  return db
    .select({
      licenseId,
      createdAt,
      activationMethod,
      productCode: subscriptions.productCode,
      relationship: relationship.as('relationship'),
      isValid: isValidSubscribed(licenseContacts).as('is_valid'),
    })
    .from(licenseContacts)
    .innerJoin(subscriptions, eq(subscriptions.id, licenseContacts.subscriptionId))
    .where(
      and(
        eq(licenseContacts.memberId, memberId),
        isNotNull(licenseContacts.subscriptionId),
        ne(subscriptions.memberId, memberId),
      ),
    )
}

/** Licenses of the member's subscriptions. Requires a subscription explicitly, so that the planner knows how few there are. */
function licensesOfOwner(db: Reader) {
  const { id: licenseId, createdAt, activationMethod } = licenses
  return db
    .select({
      licenseId,
      createdAt,
      activationMethod,
      productCode: subscriptions.productCode,
      relationship: sql<Relationship>`'Holder'`.as('relationship'),
      isValid: isValidSubscribed(licenses).as('is_valid'),
    })
    .from(subscriptions)
    .innerJoin(licenses, eq(licenses.subscriptionId, subscriptions.id))
    .where(and(eq(subscriptions.memberId, memberId), isNotNull(licenses.subscriptionId)))
}

type Mine = ReturnType<typeof licensesOfMember>

/** Which filters are set. */
type Shape = ReturnType<typeof shapeOf>

function shapeOf({ status, range, keyWord, from }: Filters) {
  return { status: status ?? 'any', range: range !== undefined, keyWord: keyWord !== '', from: from ?? 'any' } as const
}

function matching(mine: Mine, { status, range, keyWord }: Shape): SQL | undefined {
  return and(
    status === 'valid' ? sql`${mine.isValid}` : undefined,
    status === 'expired' ? sql`not ${mine.isValid}` : undefined,
    range ? gte(mine.createdAt, sql.placeholder('since')) : undefined,
    range ? lt(mine.createdAt, sql.placeholder('until')) : undefined,
    keyWord ? sql`lower(${mine.licenseId}) like ${sql.placeholder('pattern')}` : undefined,
  )
}

function activatedByHolder(mine: Mine, { from }: Shape): SQL | undefined {
  return from === 'device' ? and(eq(mine.activationMethod, 'keycode'), eq(mine.relationship, 'Holder')) : undefined
}

/** An uncorrelated subquery, so that the catalog is read once and not per license. */
function isOfSku(mine: Mine): SQL {
  return sql`${mine.productCode} = any(array(
    select p.code from ${products} p where p.sku = ${sql.placeholder('sku')}
  ))`
}

function valuesOf({ member, access, range, keyWord }: Asked) {
  return {
    ...access,
    memberId: member.id,
    ...(range && rangeBounds(range, access.now)),
    ...(keyWord !== '' && { pattern: containing(keyWord.toLowerCase()) }),
  }
}

const countsBySku = preparedShapes('license_counts', (db, name, shape: Shape) => {
  const mine = licensesOfMember(db)
  const counted = db.$with('counted').as(
    db
      .select({
        productCode: mine.productCode,
        total: sql<number>`count(*)`.as('total'),
        matching: sql<number>`count(*) filter (where ${matching(mine, shape) ?? sql`true`})`.as('matching'),
      })
      .from(mine)
      .where(activatedByHolder(mine, shape))
      .groupBy(mine.productCode),
  )
  return db
    .with(mine, counted)
    .select({
      sku: products.sku,
      name: sql<string>`(array_agg(coalesce(nullif(${products.skuName}, ''), ${products.name})
        order by ${products.position}, ${products.code}))[1]`,
      icon: sql<string>`(array_agg(${products.icon} order by ${products.position}, ${products.code}))[1]`,
      total: sql<number>`sum(${counted.total})::int`,
      matching: sql<number>`sum(${counted.matching})::int`,
    })
    .from(counted)
    .innerJoin(products, eq(products.code, counted.productCode))
    .groupBy(products.sku)
    .orderBy(sql`min(${products.position})`, products.sku)
    .prepare(name)
})

const licensesPage = preparedShapes('licenses_page', (db, name, shape: Shape) => {
  const mine = licensesOfMember(db)
  const shown = db.$with('shown').as(
    db
      .select({ licenseId: mine.licenseId })
      .from(mine)
      .where(and(isOfSku(mine), activatedByHolder(mine, shape), matching(mine, shape)))
      .orderBy(descending(mine.createdAt), descending(mine.licenseId))
      .limit(sql.placeholder('limit'))
      .offset(sql.placeholder('offset')),
  )
  return db
    .with(mine, shown)
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
    .from(shown)
    .innerJoin(licenses, eq(licenses.id, shown.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, and(eq(licenseContacts.licenseId, licenses.id), eq(licenseContacts.memberId, memberId)))
    .innerJoin(products, eq(products.code, productCode))
    .orderBy(descending(licenses.createdAt), descending(licenses.id))
    .prepare(name)
})
