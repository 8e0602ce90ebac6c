import { type Db, excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, exists, inArray, isNotNull, isNull, not, notExists, type SQL, sql } from 'drizzle-orm'
import { products } from '../catalog/catalog.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { isProgram } from './licenses.queries.ts'
import { licenseContacts, licenseKeys, licenses } from './licenses.tables.ts'

/** Columns of a license that are denormalized into its contacts. */
const denormalized = [
  'subscriptionId',
  'productCode',
  'expiresAt',
  'createdAt',
  'revokedAt',
  'activationMethod',
] as const

/** Inserts or updates licenses, and the denormalized columns of their contacts. */
export async function writeLicenses(tx: Tx, rows: readonly (typeof licenses.$inferInsert)[]): Promise<void> {
  // In the order in which `licensesOfContacts` locks, so that concurrent imports cannot deadlock.
  const ordered = rows.toSorted((one, two) => (one.id < two.id ? -1 : 1))
  await tx
    .insert(licenses)
    .values(ordered)
    .onConflictDoUpdate({
      target: licenses.id,
      set: excluded(licenses, [...denormalized, 'seats', 'version', 'edition', 'language', 'platform', 'acLiceId']),
    })

  const ids = ordered.map(({ id }) => id)
  await tx
    .update(licenseContacts)
    .set(Object.fromEntries(denormalized.map((name) => [name, licenses[name]])))
    .from(licenses)
    .where(
      and(
        eq(licenses.id, licenseContacts.licenseId),
        inArray(licenseContacts.licenseId, ids),
        sql`(${denormalizedIn(licenseContacts)}) is distinct from (${denormalizedIn(licenses)})`,
      ),
    )
}

function denormalizedIn(table: typeof licenses | typeof licenseContacts): SQL {
  return sql.join(
    denormalized.map((name) => table[name]),
    sql`, `,
  )
}

/**
 * Licenses by id, with their denormalized columns. Locked until the contacts are written: otherwise an import could change a
 * license before its new contacts are visible to it.
 */
export async function licensesOfContacts(tx: Tx, ids: readonly string[]) {
  const { id: licenseId, subscriptionId, productCode, expiresAt, createdAt, revokedAt, activationMethod } = licenses
  const found = await tx
    .select({ licenseId, subscriptionId, productCode, expiresAt, createdAt, revokedAt, activationMethod })
    .from(licenses)
    .where(inArray(licenses.id, [...new Set(ids)]))
    // In byte order, whatever the database's collation, like the sorting before `writeLicenses`.
    .orderBy(sql`${licenses.id} collate "C"`)
    .for('share')
  return new Map(found.map((license) => [license.licenseId, license]))
}

/** Writes the relationships of members to licenses, with the columns from `licensesOfContacts`. */
export async function writeContacts(tx: Tx, rows: readonly (typeof licenseContacts.$inferInsert)[]): Promise<void> {
  await tx
    .insert(licenseContacts)
    .values([...rows])
    .onConflictDoUpdate({
      target: [licenseContacts.memberId, licenseContacts.licenseId],
      set: excluded(licenseContacts, ['relationship', 'userRole', ...denormalized]),
    })
}

/**
 * Whom a file has named the Holder of a license since they were the Owner of its subscription is nothing to it any more, once they have given
 * it away, or it is known to be somebody else's.
 */
export async function dropFormerHolder(tx: Tx, memberId: string, subscriptionIds: readonly string[]): Promise<void> {
  const { memberId: holder, relationship, subscriptionId } = licenseContacts
  const isNamed = and(eq(holder, memberId), eq(relationship, 'Holder'))
  await tx.delete(licenseContacts).where(and(isNamed, inArray(subscriptionId, [...subscriptionIds])))
}

/**
 * Gives subscriptions that are billed at a provider the license that they lack, and takes it from those whose product is no program any
 * more, unless something else depends on it. It only refers to its subscription, from which product, seats and end come.
 * @param subscriptionId only this one
 */
export async function matchLicenses(db: Db, subscriptionId?: string): Promise<void> {
  const { id, providerId, productCode, createdAt } = subscriptions
  const missing = db
    .select({
      id: sql<string>`'L-' || ${id}`.as('license_id'),
      subscriptionId: id,
      productCode: sql<null>`null::text`.as('no_product'),
      seats: sql<null>`null::int`.as('no_seats'),
      expiresAt: sql<null>`null::timestamptz`.as('no_end'),
      version: sql<string>`''`.as('version'),
      edition: sql<string>`''`.as('edition'),
      language: sql<string>`''`.as('language'),
      platform: sql<string>`''`.as('platform'),
      createdAt,
      revokedAt: sql<null>`null::timestamptz`.as('no_revocation'),
      activationMethod: sql<'email'>`'email'`.as('method'),
      acLiceId: sql<string>`''`.as('ac_lice_id'),
    })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, productCode))
    .where(
      and(
        isNotNull(providerId),
        subscriptionId === undefined ? undefined : eq(id, subscriptionId),
        isProgram,
        notExists(db.select({ id: licenses.id }).from(licenses).where(eq(licenses.subscriptionId, id))),
      ),
    )
  await db.insert(licenses).select(missing).onConflictDoNothing()
  const wanted = subscriptionId === undefined ? undefined : eq(licenses.subscriptionId, subscriptionId)
  await db.delete(licenses).where(and(wanted, isLeftOver(db)))
}

/** Whether it was made here for a product that had one, and the one that took its place has none. What a file brought stays. */
function isLeftOver(db: Db): SQL | undefined {
  const { id, subscriptionId, version, revokedAt } = licenses
  const subscribed = db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .innerJoin(products, eq(products.code, subscriptions.productCode))
    .where(and(eq(subscriptions.id, subscriptionId), not(isProgram)))
  const contacts = db
    .select({ id: licenseContacts.licenseId })
    .from(licenseContacts)
    .where(eq(licenseContacts.licenseId, id))
  const keys = db.select({ id: licenseKeys.id }).from(licenseKeys).where(eq(licenseKeys.licenseId, id))
  const isMadeHere = and(sql`${id} = 'L-' || ${subscriptionId}`, eq(version, ''), isNull(revokedAt))
  return and(isMadeHere, exists(subscribed), notExists(contacts), notExists(keys))
}
