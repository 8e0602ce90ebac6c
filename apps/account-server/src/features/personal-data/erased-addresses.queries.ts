import type { Reader } from '@atrium/server-kit/database.ts'
import { addressHash, secretOf } from '@atrium/server-kit/erased-addresses.ts'
import { eq, inArray, or, sql } from 'drizzle-orm'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { members } from '../../db/members.tables.ts'
import { licenseContacts, licenseKeys, licenses } from '../licenses/licenses.tables.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'
import { erasedAddresses } from './erased-addresses.tables.ts'

/**
 * The secret under which addresses are stored; undefined if none was erased yet.
 * @param secret `ERASURE_SECRET`
 * @throws ConfigError if some were erased, and the secret is missing or another one
 */
export async function secretOfErasures(db: Reader, secret: string | undefined): Promise<string | undefined> {
  const stored = await db.selectDistinct({ secretId: erasedAddresses.secretId }).from(erasedAddresses)
  return secretOf(
    stored.map(({ secretId }) => secretId),
    secret,
  )
}

/** Which of these addresses were erased; not those of people who have signed up again since. */
export async function erasedOf(db: Reader, emails: readonly string[], secret: string): Promise<ReadonlySet<string>> {
  const hashes = new Map([...new Set(emails)].map((email) => [addressHash(secret, email), email]))
  if (hashes.size === 0) return new Set()
  const rows = await db
    .select({ hash: erasedAddresses.hash })
    .from(erasedAddresses)
    .where(inArray(erasedAddresses.hash, [...hashes.keys()]))
  const erased = rows.flatMap(({ hash }) => hashes.get(hash) ?? [])
  const returned = erased.length > 0 ? await memberIdsByEmail(db, erased) : new Map()
  return new Set(erased.filter((email) => !returned.has(email)))
}

/** Which of these license keys nobody has a part in but people who were erased. */
export async function keysOfErased(db: Reader, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .select({ key: licenseKeys.key, isOnlyOfErased: sql<boolean>`bool_and(${members.erasedAt} is not null)` })
    .from(licenseKeys)
    .innerJoin(licenses, eq(licenses.id, licenseKeys.licenseId))
    .leftJoin(subscriptions, eq(subscriptions.id, licenses.subscriptionId))
    .leftJoin(licenseContacts, eq(licenseContacts.licenseId, licenses.id))
    .innerJoin(members, or(eq(members.id, subscriptions.memberId), eq(members.id, licenseContacts.memberId)))
    .where(inArray(licenseKeys.key, [...new Set(keys)]))
    .groupBy(licenseKeys.key)
  return new Set(rows.flatMap(({ key, isOnlyOfErased }) => (isOnlyOfErased ? [key] : [])))
}
