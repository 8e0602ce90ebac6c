import { codeDigits } from '@atrium/contract/email-code.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import type { PopupPurpose } from '../../popup-wire.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { recordRefusal } from '../activity/activity.writes.ts'
import { judgeCode } from './email-codes.writes.ts'
import { openedPopup, usePopupOnce } from './popups.writes.ts'

interface Proof {
  popupId: string
  /** The current password, or the emailed code of an account without one. */
  proof: string
  purpose: PopupPurpose
  caller: Visitor
}

/** The owner of a popup, who has authenticated again. */
export interface Owner {
  userId: string
  /** Of the password that was compared; null: the account has none. */
  passwordHash: string | null
}

/**
 * Authenticates the owner of a popup again.
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`, `too_often`
 */
export async function authenticateAgain(deps: Deps, { popupId, proof, purpose, caller }: Proof): Promise<Owner> {
  const popup = await openedPopup(deps.db, popupId, deps.clock())
  if (popup.purpose !== purpose) throw new Problem('popup_expired')
  const { userId } = popup
  const user = await credentialOfUser(deps.db, userId)
  if (!user) throw new Problem('popup_expired')
  const { passwordHash } = user
  if (passwordHash) await judgePassword(deps, { userId, passwordHash, proof, caller })
  else await judgeCode(deps, { userId, purpose, code: codeDigits(proof), caller })
  return { userId, passwordHash }
}

/**
 * Makes the one change that a popup is good for, with its account locked.
 * @throws Problem `popup_expired`, also if the password that was compared has been replaced meanwhile
 */
export function changeOnce<Result>(
  { db }: Pick<Deps, 'db'>,
  { popupId, owner: { userId, passwordHash } }: { popupId: string; owner: Owner },
  change: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    // The account is always locked before its popups.
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (!current || current.passwordHash !== passwordHash) throw new Problem('popup_expired')
    await usePopupOnce(tx, popupId)
    return change(tx)
  })
}

interface Judged {
  userId: string
  passwordHash: string
  proof: string
  caller: Visitor
}

/** Counts wrong passwords per account, however many popups are open. */
async function judgePassword(deps: Deps, { userId, passwordHash, proof, caller }: Judged): Promise<void> {
  const { db, delays, hashing, clock } = deps
  const key = `popup:${userId}`
  await delays.device.take(key)
  if (!(await hashing.verify(passwordHash, proof))) {
    await db.transaction((tx) => recordRefusal(tx, { userId, kind: 'password', caller, now: clock() }))
    throw new Problem('wrong_current_password')
  }
  await delays.device.forget(key)
}
