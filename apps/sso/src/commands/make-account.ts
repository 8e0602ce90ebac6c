import type { Db } from '@atrium/server-kit/database.ts'
import type { SsoConfig } from '../config.ts'
import { newAccounts } from '../features/accounts/accounts.auth.ts'
import { credentialOf } from '../features/accounts/accounts.queries.ts'
import { createAccount } from '../features/accounts/accounts.writes.ts'
import { type Hashing, newHashing } from '../features/accounts/hashing.ts'
import { record } from '../features/activity/activity.writes.ts'

interface Person {
  /** Lower case. */
  email: string
  /** Whether it is known to be theirs. */
  emailVerified: boolean
  firstName: string
  lastName: string
  locale: string
  /** Of the system before; undefined: the password that all of them get. */
  passwordHash?: string
}

/** Answers whether it made the account; without, the address had one. */
type MakeAccount = (person: Person) => Promise<boolean>

/** Makes accounts. @param password of those without a hash of their own */
export async function accountMaker(
  db: Db,
  { SSO_URL: publicUrl, SSO_SECRET: secret }: SsoConfig,
  password: string,
): Promise<MakeAccount> {
  const hashing: Hashing = newHashing()
  const accounts = await newAccounts({ db, hashing, publicUrl, secret })
  return async ({ passwordHash: given, ...person }) => {
    if (await credentialOf(db, person.email)) return false
    const passwordHash = given ?? (await hashing.hash(password))
    return db.transaction(async (tx) => {
      const userId = await createAccount(tx, accounts, { ...person, passwordHash })
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
