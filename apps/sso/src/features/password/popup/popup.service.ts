import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem, refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { credentialOfUser, lockUser } from '../../accounts/accounts.queries.ts'
import { composed } from '../../accounts/accounts.rules.ts'
import { popupOwner, usePopupOnce } from '../../popups/popups.writes.ts'
import { authenticateAgain } from '../../popups/proof.writes.ts'
import { refuseWeakPassword } from '../password.rules.ts'
import { replacePassword } from '../password.service.ts'

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
  const purpose = 'password-reset'
  const userId = await popupOwner(db, { popupId, purpose }, clock())
  const compared = await authenticateAgain(deps, { userId, proof, purpose, caller })
  if (compared !== null && composed(proof) === composed(password)) {
    throw refusedField('password', 'password_unchanged')
  }

  const passwordHash = await hashing.hash(password)
  await db.transaction(async (tx) => {
    // The account is always locked before its popups. The password that was compared may have been replaced meanwhile.
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (current?.passwordHash !== compared) throw new Problem('popup_expired')

    await usePopupOnce(tx, popupId)
    await replacePassword(deps, tx, { userId, passwordHash, caller })
  })
}
