import type { LinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { signedToken } from '../session/signed-token.ts'

const none: LinkedAccounts = { providers: [], accounts: [] }

/** The login providers of the member's account at the single sign-on, which alone stores them. */
export async function linkedAccounts(deps: Deps, member: Member): Promise<LinkedAccounts> {
  // With a CAS server of the vendor, ways to sign in are managed there.
  if (deps.config.PASSWORD_URL) return none
  return deps.sso.list(await tokenFor(deps, member))
}

/** Unlinks one. The single sign-on decides, and records it. @throws Problem `not_found`, `last_way_in`, `accounts_unreachable` */
export async function unlinkAccount(deps: Deps, member: Member, id: string): Promise<LinkedAccounts> {
  return deps.sso.unlink(await tokenFor(deps, member), id)
}

function tokenFor(deps: Deps, member: Member): Promise<string> {
  return signedToken(deps, member, { purpose: 'linked-accounts', audience: deps.config.SSO_URL })
}
