import type { LinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { accounts } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { emailOwner, identitiesOf } from './identities.writes.ts'
import { canSignInWithout } from './linked-accounts.rules.ts'

/** The linked accounts of an account. @throws Problem `token_refused` if the account does not exist any more */
export async function linkedAccounts({ config }: Deps, db: Db | Tx, userId: string): Promise<LinkedAccounts> {
  const user = await credentialOfUser(db, userId)
  if (!user) throw new Problem('token_refused')
  const identities = await identitiesOf(db, userId)
  const providers = config.PROVIDERS.map(({ name }) => name)
  const waysIn = { hasPassword: user.passwordHash !== null, identities, providers }
  return {
    providers,
    accounts: identities.map(({ linkedAt, ...identity }) => ({
      ...identity,
      linkedAt: Math.trunc(linkedAt.getTime() / 1000),
      canUnlink: canSignInWithout(identity.id, waysIn),
    })),
  }
}

interface Unlinking {
  userId: string
  identityId: string
  caller: Visitor
}

/**
 * Unlinks an identity while another way to sign in remains.
 * @throws Problem `not_found`, `last_way_in`, `token_refused`
 */
export function unlinkIdentity(deps: Deps, { userId, identityId, caller }: Unlinking): Promise<LinkedAccounts> {
  return deps.db.transaction(async (tx) => {
    // The account's row is the lock: two tabs cannot unlink the last two identities.
    await lockUser(tx, userId)
    const before = await linkedAccounts(deps, tx, userId)
    const identity = before.accounts.find(({ id }) => id === identityId)
    if (!identity) throw new Problem('not_found')
    if (!identity.canUnlink) throw new Problem('last_way_in')

    const { provider } = identity
    const [removed] = await tx.delete(accounts).where(eq(accounts.id, identityId)).returning()
    const details = { provider, authority: removed?.authority }
    await record(tx, { now: deps.clock(), action: 'identity.unlinked', userId, caller, details })
    await emailOwner(deps, tx, { userId, provider, name: 'providerUnlinked' })
    return linkedAccounts(deps, tx, userId)
  })
}
