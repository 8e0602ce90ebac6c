import type { Reader } from '@atrium/server-kit/database.ts'
import { addressHash, secretOf } from '@atrium/server-kit/erased-addresses.ts'
import { sql } from 'drizzle-orm'

/**
 * Recognizes people whom `npm run members -- erase` erased, by the hashes that account-server has stored in the same database; not those
 * who have signed up again since.
 * @param given `ERASURE_SECRET`
 * @throws ConfigError if some were erased, and the secret is missing or another one
 */
export async function erasedPeople(db: Reader, given: string | undefined): Promise<IsErased> {
  const found = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('account.erased_addresses') is not null as "isThere"`,
  )
  if (!found.rows[0]?.isThere) return async () => false

  let secret = await secretOfErasures(db, given)
  return async (now, email) => {
    // The first one may have been erased since.
    secret ??= await secretOfErasures(now, given)
    if (secret === undefined) return false
    const { rowCount } = await now.execute(sql`
      select from account.erased_addresses
      where hash = ${addressHash(secret, email)} and not exists (select from sso.users where email = ${email})`)
    return rowCount === 1
  }
}

/** @throws ConfigError */
export type IsErased = (db: Reader, email: string) => Promise<boolean>

async function secretOfErasures(db: Reader, given: string | undefined): Promise<string | undefined> {
  const stored = await db.execute<{ id: string }>(sql`select distinct secret_id as id from account.erased_addresses`)
  return secretOf(
    stored.rows.map(({ id }) => id),
    given,
  )
}
