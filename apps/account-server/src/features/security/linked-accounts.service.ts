import type { LinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { signedToken } from '../session/signed-token.ts'

const none: LinkedAccounts = { providers: [], accounts: [] }

/** The login providers of the member's account at the single sign-on, which alone stores them. */
export async function linkedAccounts(deps: Deps, member: Member): Promise<LinkedAccounts> {
  // With a CAS server of the vendor, ways to sign in are managed there.
  if (deps.config.PASSWORD_URL) return none
  return deps.sso.list(await signedToken(deps, member, { purpose: 'linked-accounts', audience: deps.config.SSO_URL }))
}
