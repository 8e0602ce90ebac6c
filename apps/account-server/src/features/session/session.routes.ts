import * as active from '@atrium/contract/active-sessions.ts'
import { localePath } from '@atrium/contract/locale.ts'
import * as contract from '@atrium/contract/session.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { activeSessions, endActiveSession, endOtherActiveSessions } from './active-sessions.service.ts'
import { identifier } from './identify.ts'
import { chosenLocale } from './locale-choice.ts'
import { sessionCookie } from './session.cookies.ts'
import { signOutUrl } from './session.rules.ts'
import { signOut } from './session.service.ts'
import { publicKeys, signedToken } from './signed-token.ts'

/** The page's calls. Signing in and single logout are in `sign-on.routes.ts`. */
export function sessionRoutes(app: FastifyInstance, deps: Deps) {
  const { config, db, wallClock } = deps
  const identify = identifier(deps)
  const cookie = sessionCookie(config)

  serve(app, contract.readSession, (_input, member) => ({ ...member, isFresh: member.isFresh === true }))

  serve(app, contract.signOut, async ({ body: { to } }, _visitor, { request, reply }) => {
    const caller = await identify(request)
    if (caller) await signOut(db, caller, wallClock())
    reply.clearCookie(cookie.name, cookie.options)
    const path = to === 'site' ? '/' : localePath(chosenLocale(request), '/account')
    return { redirectUrl: signOutUrl(config, path) }
  })

  serve(app, active.listSessions, (_input, member) => activeSessions(deps, member))

  serve(app, active.endSession, ({ params }, member) => endActiveSession(deps, member, params.id))

  serve(app, active.endOtherSessions, (_input, member) => endOtherActiveSessions(deps, member))

  serve(app, contract.createPasswordResetToken, async (_input, member) => ({
    accessToken: await signedToken(deps, member, { purpose: 'password-reset', audience: deps.config.SSO_URL }),
  }))

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('cache-control', 'public, max-age=300')
    return publicKeys(deps)
  })
}
