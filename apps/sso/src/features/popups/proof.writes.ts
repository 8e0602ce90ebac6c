import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOfUser } from '../accounts/accounts.queries.ts'
import { judgeCode } from './email-codes.writes.ts'
import type { PopupPurpose } from './popups.tables.ts'

interface Proof {
  userId: string
  /** The current password, or the emailed code of an account without one. */
  proof: string
  purpose: PopupPurpose
  caller: Visitor
}

/**
 * Authenticates the owner of a popup again. @returns the password hash that was compared, which the caller checks once more
 * under the account's lock; null for an account without a password
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`, `too_often`
 */
export async function authenticateAgain(deps: Deps, { userId, proof, purpose, caller }: Proof): Promise<string | null> {
  const user = await credentialOfUser(deps.db, userId)
  if (!user) throw new Problem('popup_expired')
  if (user.passwordHash) await judgePassword(deps, { userId, passwordHash: user.passwordHash, proof })
  else await judgeCode(deps, { userId, purpose, code: proof, caller })
  return user.passwordHash
}

interface Judged {
  userId: string
  passwordHash: string
  proof: string
}

/** Counts wrong passwords per account, however many popups are open. */
async function judgePassword({ delays, hashing }: Deps, { userId, passwordHash, proof }: Judged): Promise<void> {
  const key = `popup:${userId}`
  await delays.device.take(key)
  if (!(await hashing.verify(passwordHash, proof))) throw new Problem('wrong_current_password')
  await delays.device.forget(key)
}
