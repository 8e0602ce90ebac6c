import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { isValidOwn } from '../licenses/licenses.queries.ts'
import { licenseContacts } from '../licenses/licenses.tables.ts'
import type { AccessAt } from '../subscriptions/subscriptions.rules.ts'
import { licensesPrefix } from './products.tables.ts'
import { dismissedReasons } from './renewal-dismissals.queries.ts'

export type LicensedRow = Awaited<ReturnType<typeof licensedOutright>>[number]

/**
 * The products of which a member holds licenses without a subscription, each once, however many licenses there are; what was
 * revoked does not count.
 */
export function licensedOutright(db: Reader, { member, access }: { member: Pick<Member, 'id'>; access: AccessAt }) {
  return held(db).execute({ memberId: member.id, now: access.now })
}

const held = prepared('my_products_outright', (db, name) => {
  const { memberId, subscriptionId, relationship, revokedAt, expiresAt, productCode } = licenseContacts
  const isHeld = and(
    eq(memberId, sql.placeholder('memberId')),
    isNull(subscriptionId),
    eq(relationship, 'Holder'),
    isNull(revokedAt),
  )
  const counted = db.$with('counted').as(
    db
      .select({
        productCode,
        isValid: sql<boolean>`bool_or(${isValidOwn(licenseContacts)})`.as('is_valid'),
        isPerpetual: sql<boolean>`bool_or(${expiresAt} is null)`.as('is_perpetual'),
        /** When the last of them ends. */
        end: sql<Date | null>`max(${expiresAt})`.mapWith(expiresAt).as('last_end'),
        /** When the first of those that are valid ends. */
        nextEnd: sql<Date | null>`min(${expiresAt}) filter (where ${isValidOwn(licenseContacts)})`
          .mapWith(expiresAt)
          .as('next_end'),
      })
      .from(licenseContacts)
      .where(isHeld)
      .groupBy(productCode),
  )
  return db
    .with(counted)
    .select({
      productCode: products.code,
      isValid: counted.isValid,
      isPerpetual: counted.isPerpetual,
      end: counted.end,
      nextEnd: counted.nextEnd,
      dismissed: dismissedReasons(sql`(${licensesPrefix}::text || ${products.code})`),
      product: {
        name: products.name,
        sku: products.sku,
        skuName: products.skuName,
        position: products.position,
        flags: products.flags,
        prices: products.prices,
        icon: products.icon,
        launchUrl: products.launchUrl,
        downloads: products.downloads,
        integrations: products.integrations,
      },
    })
    .from(counted)
    .innerJoin(products, eq(products.code, counted.productCode))
    .orderBy(asc(products.position), asc(products.code))
    .prepare(name)
})
