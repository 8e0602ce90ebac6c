import type { Visitor } from '@atrium/server-kit/caller.ts'
import { isVisit } from '@atrium/server-kit/navigation.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Pages } from '../../page/pages.ts'
import { type RawQuery, single } from '../cas/cas-query.rules.ts'
import { registeredService } from '../cas/service-url.rules.ts'
import { endSessions } from '../session/end-sessions.writes.ts'
import { clearSessionCookie, sessionCookie } from '../session/session.cookies.ts'
import { sessionOf } from '../session/session.queries.ts'

type CasRequest = FastifyRequest<{ Querystring: RawQuery }>

/** `/cas/logout`: ends the session everywhere, then redirects to a registered address (CAS 3.0 §2.3). */
export function signOutRoutes(app: FastifyInstance, deps: Deps, pages: Pages): void {
  const { config } = deps

  app.get('/cas/logout', { exposeHeadRoute: false }, async (request: CasRequest, reply) => {
    // The protocol signs out by GET. Only a navigation counts, not an image, a frame or a prefetch.
    if (isVisit(request)) {
      await endSession(deps, sessionCookie(request, config.SSO_URL), visitor(request))
      clearSessionCookie(reply, config.SSO_URL)
    }

    const wanted = single(request.query, 'service') ?? single(request.query, 'url')
    const next = registeredService(wanted, config.SSO_SERVICES)
    if (next) return reply.redirect(next.url.href, 302)
    return pages.show(request, reply, { name: 'signed-out' })
  })
}

async function endSession({ db, jobs, clock }: Deps, token: string | undefined, caller: Visitor): Promise<void> {
  const now = clock()
  const session = await sessionOf(db, token, now)
  if (!session) return
  await db.transaction((tx) => endSessions(tx, [session.id], { jobs, reason: 'sign-out', caller, now }))
}
