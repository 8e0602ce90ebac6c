import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOf, credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { signInAllowances } from '../delays/delays.writes.ts'

interface Credentials {
  email: string
  password: string
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  caller: Visitor
}

/**
 * Checks a password, then does something with its account, which is locked meanwhile. An address without an account takes as
 * long and gets the same reply. @throws Problem `wrong_credentials`, `too_often`
 */
export async function withPassword<Result>(
  deps: Deps,
  credentials: Credentials,
  work: (tx: Tx, userId: string) => Promise<Result>,
): Promise<Result> {
  const { db, hashing, delays } = deps
  const { email, password, device } = credentials
  for (const { allowance, key } of signInAllowances(delays, credentials)) await allowance.take(key)

  const found = await credentialOf(db, email)
  const isRight = found?.passwordHash
    ? await hashing.verify(found.passwordHash, password)
    : await hashing.verifyNothing(password)
  if (!found || !isRight) throw new Problem('wrong_credentials')

  const result = await db.transaction(async (tx) => {
    // If the password changed since the comparison, the old one must not sign in.
    await lockUser(tx, found.userId)
    const current = await credentialOfUser(tx, found.userId)
    if (!current || current.passwordHash !== found.passwordHash) throw new Problem('wrong_credentials')
    return work(tx, found.userId)
  })
  await delays.account.forget(email)
  if (device) await delays.device.forget(device)
  return result
}
