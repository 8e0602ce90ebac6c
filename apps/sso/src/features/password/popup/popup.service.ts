import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import { and, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../../deps.ts'
import { hashOf, newToken } from '../../../secrets.ts'
import { credentialOfUser, lockUser } from '../../accounts/accounts.queries.ts'
import { composed } from '../../accounts/accounts.rules.ts'
import { record } from '../../activity/activity.writes.ts'
import { refuseWeakPassword } from '../password.rules.ts'
import { replacePassword } from '../password.service.ts'
import { judgeCode } from './email-codes.service.ts'
import { popupSessions } from './popup.tables.ts'
import { readPopupToken } from './popup-token.ts'

/** Lifetime of a popup in milliseconds. */
const popupLife = 600_000

/** Exchanges the account page's token for a popup of ten minutes, once. @throws Problem `token_refused` */
export async function openPopup(deps: Deps, accessToken: string, caller: Visitor) {
  const { db, delays, clock } = deps
  await delays.address.take(networkOf(caller.address))
  const now = clock()
  const { userId, tokenId } = await readPopupToken(deps, accessToken)

  return db.transaction(async (tx) => {
    const user = await credentialOfUser(tx, userId)
    if (!user) throw new Problem('token_refused')

    const popupId = newToken()
    const opened = await tx
      .insert(popupSessions)
      .values({ hash: hashOf(popupId), userId, tokenId, expiresAt: new Date(now.getTime() + popupLife) })
      .onConflictDoNothing({ target: popupSessions.tokenId })
      .returning()
    if (opened.length === 0) throw new Problem('token_refused')

    await record(tx, { now, action: 'password.popup-opened', userId, caller })
    return { popupId, email: user.email, hasPassword: user.passwordHash !== null }
  })
}

/** The account of a popup. @throws Problem `popup_expired` */
export async function popupOwner(tx: Deps['db'] | Tx, popupId: string, now: Date): Promise<string> {
  const [popup] = await tx
    .select({ userId: popupSessions.userId })
    .from(popupSessions)
    .where(and(eq(popupSessions.hash, hashOf(popupId)), gt(popupSessions.expiresAt, now)))
  if (!popup) throw new Problem('popup_expired')
  return popup.userId
}

interface Change {
  popupId: string
  /** The current password, or the emailed code of an account without one. */
  proof: string
  password: string
  caller: Visitor
}

/**
 * Changes the password and ends every session of the account (000 §2.2).
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`; `invalid` for a new password
 * that is weak, or the current one
 */
export async function changePasswordInPopup(deps: Deps, { popupId, proof, password, caller }: Change): Promise<void> {
  const { db, hashing, clock } = deps
  refuseWeakPassword(password)
  const userId = await popupOwner(db, popupId, clock())
  const user = await credentialOfUser(db, userId)
  if (!user) throw new Problem('popup_expired')

  if (user.passwordHash) {
    await judgePassword(deps, { userId, passwordHash: user.passwordHash, proof })
    if (composed(proof) === composed(password)) throw refusedField('password', 'password_unchanged')
  } else {
    await judgeCode(deps, { userId, code: proof, caller })
  }

  const passwordHash = await hashing.hash(password)
  await db.transaction(async (tx) => {
    // The account is always locked before its popups. The password that was compared may have been replaced meanwhile.
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (current?.passwordHash !== user.passwordHash) throw new Problem('popup_expired')

    // A popup can change the password once.
    const used = await tx
      .delete(popupSessions)
      .where(eq(popupSessions.hash, hashOf(popupId)))
      .returning()
    if (used.length === 0) throw new Problem('popup_expired')
    await replacePassword(deps, tx, { userId, passwordHash, caller })
  })
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
