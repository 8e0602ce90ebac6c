import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { accounts } from '../accounts/accounts.tables.ts'
import { linkedAccounts } from '../accounts/linked-accounts.queries.ts'
import { record } from '../activity/activity.writes.ts'
import { authenticateAgain, changeOnce } from '../popups/proof.writes.ts'
import { emailOwner } from './identities.writes.ts'

interface Unlinking {
  popupId: string
  /** The password, or the emailed code of an account without one. */
  proof: string
  /** Of the linked account. */
  id: string
  caller: Visitor
}

/**
 * Authenticates the owner of the popup again, and unlinks an identity while another way to sign in remains.
 * @throws Problem `popup_expired`, `wrong_current_password`, `wrong_code`, `code_spent`, `not_found`, `last_way_in`
 */
export async function unlinkIdentity(deps: Deps, { popupId, proof, id, caller }: Unlinking): Promise<void> {
  const owner = await authenticateAgain(deps, { popupId, proof, purpose: 'account-link', caller })
  // The account is locked: two tabs cannot unlink the last two identities.
  await changeOnce(deps, { popupId, owner }, (tx) => remove(deps, tx, { userId: owner.userId, id, caller }))
}

async function remove(deps: Deps, tx: Tx, { userId, id, caller }: { userId: string; id: string; caller: Visitor }) {
  const linked = await linkedAccounts(deps.config, tx, userId)
  const identity = linked?.accounts.find((account) => account.id === id)
  if (!identity) throw new Problem('not_found')
  if (!identity.canUnlink) throw new Problem('last_way_in')

  const { provider } = identity
  const [removed] = await tx.delete(accounts).where(eq(accounts.id, id)).returning()
  const details = { provider, authority: removed?.authority }
  await record(tx, { now: deps.clock(), action: 'identity.unlinked', userId, caller, details })
  await emailOwner(deps, tx, { userId, provider, name: 'providerUnlinked' })
}
