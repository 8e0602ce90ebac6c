import { ssoEndSessions, ssoSessions } from '@atrium/contract/active-sessions.ts'
import { ssoActivity } from '@atrium/contract/activity.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { readUserToken } from '../popups/user-token.rules.ts'
import { accountActivity } from './account-activity.queries.ts'
import { sessionsOfUser } from './active-sessions.queries.ts'
import { endSessionsFor } from './active-sessions.service.ts'

/** Sessions and activity of an account, for its page. Called by account-server, never by a browser. */
export function activeSessionsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, ssoSessions, async ({ body }) => {
    const { userId } = await readUserToken(deps, body.accessToken, 'sessions')
    return { sessions: await sessionsOfUser(deps, userId) }
  })

  serve(app, ssoActivity, async ({ body }) => {
    const { userId } = await readUserToken(deps, body.accessToken, 'activity')
    return { list: await accountActivity(deps, userId) }
  })

  serve(app, ssoEndSessions, async ({ body }) => {
    const { userId } = await readUserToken(deps, body.accessToken, 'end-sessions')
    await endSessionsFor(deps, { userId, ended: body.ended })
    return {}
  })
}
