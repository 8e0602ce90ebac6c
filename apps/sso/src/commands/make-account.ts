import type { Db } from '@atrium/server-kit/database.ts'
import { holdErasures } from '@atrium/server-kit/erased-addresses.ts'
import type { SsoConfig } from '../config.ts'
import { newAccounts } from '../features/accounts/accounts.auth.ts'
import { credentialOf } from '../features/accounts/accounts.queries.ts'
import { createAccount } from '../features/accounts/accounts.writes.ts'
import { type Hashing, newHashing } from '../features/accounts/hashing.ts'
import { record } from '../features/activity/activity.writes.ts'
import type { IsErased } from './erased-people.ts'

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

/** What became of a line; `known`: the address has an account. */
type MakeAccount = (person: Person) => Promise<'made' | 'known' | 'erased'>

/** Makes accounts. @param password of those without a hash of their own */
export async function accountMaker(
  db: Db,
  { SSO_URL: publicUrl, SSO_SECRET: secret }: SsoConfig,
  { password, isErased }: { password: string; isErased: IsErased },
): Promise<MakeAccount> {
  const hashing: Hashing = newHashing()
  const accounts = await newAccounts({ db, hashing, publicUrl, secret })
  return async ({ passwordHash: given, ...person }) => {
    if (await credentialOf(db, person.email)) return 'known'
    const passwordHash = given ?? (await hashing.hash(password))
    return db.transaction(async (tx) => {
      // Whoever is erased afterwards loses the account, too.
      await holdErasures(tx)
      if (await isErased(tx, person.email)) return 'erased'
      const userId = await createAccount(tx, accounts, { ...person, passwordHash })
      if (!userId) return 'known'
      await record(tx, { now: new Date(), action: 'account.created', userId, details: { by: 'operator' } })
      return 'made'
    })
  }
}

/** Makes none, and answers as if it did. */
export function accountTrial(db: Db, isErased: IsErased): MakeAccount {
  const seen = new Set<string>()
  return async ({ email }) => {
    if (await isErased(db, email)) return 'erased'
    const isNew = !seen.has(email) && (await credentialOf(db, email)) === undefined
    seen.add(email)
    return isNew ? 'made' : 'known'
  }
}
