import { listActivity } from '@atrium/contract/activity.ts'
import * as linked from '@atrium/contract/linked-accounts.ts'
import * as contract from '@atrium/contract/security.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { signedToken } from '../session/signed-token.ts'
import { accountActivity } from './account-activity.service.ts'
import { linkedAccounts } from './linked-accounts.service.ts'
import { setSupportAccess, supportAccess } from './support-access.service.ts'

export function securityRoutes(app: FastifyInstance, deps: Deps) {
  const { db, wallClock } = deps

  serve(app, contract.readSupportAccess, (_input, member) => supportAccess(db, member, wallClock()))

  serve(app, contract.setSupportAccess, ({ body }, member) =>
    setSupportAccess(db, { member, duration: body.grantLoginExpireTime, now: wallClock() }),
  )

  serve(app, listActivity, ({ query }, member) => accountActivity(deps, member, query))

  serve(app, linked.readLinkedAccounts, (_input, member) => linkedAccounts(deps, member))

  serve(app, linked.createAccountLinkToken, async (_input, member) => ({
    accessToken: await signedToken(deps, member, { purpose: 'account-link', audience: deps.config.SSO_URL }),
  }))
}
