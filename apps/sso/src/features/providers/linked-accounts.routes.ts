import { ssoLinkedAccounts } from '@atrium/contract/linked-accounts.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../provider-wire.ts'
import { linkedAccounts } from '../accounts/linked-accounts.queries.ts'
import { readUserToken } from '../popups/user-token.rules.ts'
import { browserId } from '../session/session.cookies.ts'
import { startLinking } from './link.service.ts'
import { unlinkIdentity } from './unlink.service.ts'

/** The linked accounts of the account page, and the popups in which a login provider is linked and unlinked. */
export function linkedAccountsRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, db } = deps

  serve(app, ssoLinkedAccounts, async ({ body }) => {
    const { userId } = await readUserToken(deps, body.accessToken, 'linked-accounts')
    const linked = await linkedAccounts(config, db, userId)
    if (!linked) throw new Problem('token_refused')
    return linked
  })

  serve(app, wire.startLink, async ({ body }, caller, { request, reply }) => {
    const browser = browserId(request, reply, config.SSO_URL)
    return { redirectUrl: await startLinking(deps, { ...body, browser, caller }) }
  })

  serve(app, wire.unlinkAccount, async ({ body }, caller) => {
    await unlinkIdentity(deps, { ...body, caller })
    return {}
  })
}
