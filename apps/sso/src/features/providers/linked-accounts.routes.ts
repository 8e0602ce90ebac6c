import { ssoLinkedAccounts, ssoUnlinkAccount } from '@atrium/contract/linked-accounts.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readUserToken } from '../popups/user-token.rules.ts'
import { linkedAccounts, unlinkIdentity } from './linked-accounts.service.ts'

/** What account-server reads and changes for its Security Settings. */
export function linkedAccountsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, ssoLinkedAccounts, async ({ body }) => linkedAccounts(deps, deps.db, await userOf(body.accessToken)))

  serve(app, ssoUnlinkAccount, async ({ body }, caller) => {
    const userId = await userOf(body.accessToken)
    return unlinkIdentity(deps, { userId, identityId: body.id, caller })
  })

  async function userOf(accessToken: string): Promise<string> {
    return (await readUserToken(deps, accessToken, 'linked-accounts')).userId
  }
}
