import { ssoAccountData } from '@atrium/contract/account-data.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readUserToken } from '../popups/user-token.rules.ts'
import { exportAccount } from './account-data.service.ts'

/** A person's own data, for its download. Called by account-server, never by a browser. */
export function accountDataRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, ssoAccountData, async ({ body }) => {
    const { userId } = await readUserToken(deps, body.accessToken, 'account-data')
    return { data: await exportAccount(deps.db, userId) }
  })
}
