import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOf, credentialOfUser, lockUser, someHash } from '../accounts/accounts.queries.ts'
import { setPassword } from '../accounts/accounts.writes.ts'
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
 * long and gets the same reply. A hash of another system is replaced by one of ours.
 * @throws Problem `wrong_credentials`, `too_often`
 */
export async function withPassword<Result>(
  deps: Deps,
  credentials: Credentials,
  work: (tx: Tx, userId: string) => Promise<Result>,
): Promise<Result> {
  const { delays } = deps
  const { email, device } = credentials
  for (const { allowance, key } of signInAllowances(delays, credentials)) await allowance.take(key)

  // Once more if the hash changed since the comparison: another sign-in renewed it, or the password is another one now.
  const done = (await tryPassword(deps, credentials, work)) ?? (await tryPassword(deps, credentials, work))
  if (!done) throw refused(deps, credentials)
  await delays.account.forget(email)
  if (device) await delays.device.forget(device)
  return done.result
}

/** @returns nothing if the account's hash is no longer the one that was compared */
async function tryPassword<Result>(
  deps: Deps,
  credentials: Credentials,
  work: (tx: Tx, userId: string) => Promise<Result>,
): Promise<{ result: Result } | undefined> {
  const { db, hashing, accounts } = deps
  const { userId, passwordHash } = await compared(deps, credentials)
  const renewed = hashing.isOutdated(passwordHash) ? await hashing.hash(credentials.password) : undefined
  return db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (current?.passwordHash !== passwordHash) return undefined
    if (renewed !== undefined) await setPassword(tx, accounts, userId, renewed)
    return { result: await work(tx, userId) }
  })
}

/** The account whose password this is. @throws Problem `wrong_credentials` */
async function compared(deps: Deps, credentials: Credentials) {
  const { db, hashing, secrets } = deps
  const { email, password } = credentials
  // Hashes of other systems take shorter or longer: an unknown address takes as long as somebody's, always the same person's.
  const somebodys = await someHash(db, secrets.sign('stand-in', email))
  const found = await credentialOf(db, email)
  if (!found?.passwordHash) {
    await hashing.verifyNothing(password, somebodys)
    throw refused(deps, credentials)
  }
  const { userId, passwordHash } = found
  if (!(await hashing.verify(passwordHash, password))) throw refused(deps, credentials)
  return { userId, passwordHash }
}

function refused({ refusals }: Deps, { email, caller }: Credentials): Problem {
  refusals.note({ email, kind: 'password', caller })
  return new Problem('wrong_credentials')
}
