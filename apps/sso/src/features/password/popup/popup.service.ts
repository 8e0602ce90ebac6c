import type { Visitor } from '@atrium/server-kit/caller.ts'
import { refusedField } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../../deps.ts'
import { composed } from '../../accounts/accounts.rules.ts'
import { authenticateAgain, changeOnce } from '../../popups/proof.writes.ts'
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
 * Changes the password and ends every session of the account (000 §2.2). @returns the account's address
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`; `invalid` for a new password
 * that is weak, or the current one
 */
export async function changePasswordInPopup(deps: Deps, { popupId, proof, password, caller }: Change) {
  refuseWeakPassword(password)
  const owner = await authenticateAgain(deps, { popupId, proof, purpose: 'password-reset', caller })
  if (owner.passwordHash !== null && composed(proof) === composed(password)) {
    throw refusedField('password', 'password_unchanged')
  }

  const { userId } = owner
  const passwordHash = await deps.hashing.hash(password)
  return changeOnce(deps, { popupId, owner }, (tx) => replacePassword(deps, tx, { userId, passwordHash, caller }))
}
