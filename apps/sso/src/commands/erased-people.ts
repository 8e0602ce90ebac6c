import type { Db } from '@atrium/server-kit/database.ts'
import { addressHash, secretOf } from '@atrium/server-kit/erased-addresses.ts'
import { sql } from 'drizzle-orm'

/**
 * Recognizes people whom `npm run members -- erase` erased, by the hashes that account-server has stored in the same database; not those
 * who have signed up again since.
 * @param given `ERASURE_SECRET`
 * @throws ConfigError if some were erased, and the secret is missing or another one
 */
export async function erasedPeople(db: Db, given: string | undefined): Promise<(email: string) => Promise<boolean>> {
  const nobody = async () => false
  const found = await db.execute<{ isThere: boolean }>(
    sql`select to_regclass('account.erased_addresses') is not null as "isThere"`,
  )
  if (!found.rows[0]?.isThere) return nobody

  const stored = await db.execute<{ id: string }>(sql`select distinct secret_id as id from account.erased_addresses`)
  const secret = secretOf(
    stored.rows.map(({ id }) => id),
    given,
  )
  if (secret === undefined) return nobody

  return async (email) => {
    const { rowCount } = await db.execute(sql`
      select from account.erased_addresses
      where hash = ${addressHash(secret, email)} and not exists (select from sso.users where email = ${email})`)
    return rowCount === 1
  }
}
