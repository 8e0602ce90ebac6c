import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { excluded } from '../../db/importer.ts'
import { licenseContacts, licenses } from './licenses.tables.ts'

/** Columns of a license that stand in its contacts too. */
const denormalized = [
  'subscriptionId',
  'productCode',
  'expiresAt',
  'createdAt',
  'revokedAt',
  'activationMethod',
] as const

/** Inserts licenses, or changes those that are there, and the denormalized columns of their contacts. */
export async function writeLicenses(tx: Tx, rows: readonly (typeof licenses.$inferInsert)[]): Promise<void> {
  // In the order in which `licensesOfContacts` locks: two imports wait for each other, and not forever.
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
 * Licenses by id, with what their contacts repeat of them; under lock until the contacts are written, so that no import
 * changes a license in between, for contacts that it cannot see yet.
 */
export async function licensesOfContacts(tx: Tx, ids: readonly string[]) {
  const { id: licenseId, subscriptionId, productCode, expiresAt, createdAt, revokedAt, activationMethod } = licenses
  const found = await tx
    .select({ licenseId, subscriptionId, productCode, expiresAt, createdAt, revokedAt, activationMethod })
    .from(licenses)
    .where(inArray(licenses.id, [...new Set(ids)]))
    // Byte by byte, whatever the database's collation: so are the rows of licenses sorted that are written.
    .orderBy(sql`${licenses.id} collate "C"`)
    .for('share')
  return new Map(found.map((license) => [license.licenseId, license]))
}

/** What members are to licenses, with what `licensesOfContacts` found. */
export async function writeContacts(tx: Tx, rows: readonly (typeof licenseContacts.$inferInsert)[]): Promise<void> {
  await tx
    .insert(licenseContacts)
    .values([...rows])
    .onConflictDoUpdate({
      target: [licenseContacts.memberId, licenseContacts.licenseId],
      set: excluded(licenseContacts, ['relationship', 'userRole', ...denormalized]),
    })
}
