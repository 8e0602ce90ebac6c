import type { MemberRecord } from '@atrium/contract/imports/customers.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import type { z } from 'zod'
import type { SsoConfig } from '../config.ts'
import { newAccounts } from '../features/accounts/accounts.auth.ts'
import { credentialOf } from '../features/accounts/accounts.queries.ts'
import { createAccount } from '../features/accounts/accounts.writes.ts'
import { newHashing } from '../features/accounts/hashing.ts'
import { record } from '../features/activity/activity.writes.ts'

/** Answers whether it made the account; without, the address had one. */
type MakeAccount = (member: z.output<typeof MemberRecord>) => Promise<boolean>

/** Makes verified accounts that all have this password. */
export async function accountMaker(
  db: Db,
  { SSO_URL: publicUrl, SSO_SECRET: secret }: SsoConfig,
  password: string,
): Promise<MakeAccount> {
  const hashing = newHashing()
  const accounts = await newAccounts({ db, hashing, publicUrl, secret })
  return async ({ email, firstName, lastName }) => {
    if (await credentialOf(db, email)) return false
    const passwordHash = await hashing.hash(password)
    return db.transaction(async (tx) => {
      const userId = await createAccount(tx, accounts, { email, firstName, lastName, locale: 'en-us', passwordHash })
      if (!userId) return false
      await record(tx, { now: new Date(), action: 'account.created', userId, details: { by: 'operator' } })
      return true
    })
  }
}

/** Makes none, and answers as if it did. */
export function accountTrial(db: Db): MakeAccount {
  const seen = new Set<string>()
  return async ({ email }) => {
    const isNew = !seen.has(email) && (await credentialOf(db, email)) === undefined
    seen.add(email)
    return isNew
  }
}
