import type { Visitor } from '@atrium/server-kit/caller.ts'
import { isVisit } from '@atrium/server-kit/navigation.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import { and, gt } from 'drizzle-orm'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Pages } from '../../page/pages.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { type RawQuery, single } from '../cas/cas-query.rules.ts'
import { registeredService } from '../cas/service-url.rules.ts'
import { endSessions } from '../session/end-sessions.writes.ts'
import { browserOf, forgetBrowser } from '../session/session.cookies.ts'
import { type Browser, isOfBrowser } from '../session/session.queries.ts'

type CasRequest = FastifyRequest<{ Querystring: RawQuery }>

/** `/cas/logout`: ends what this browser has begun, everywhere, then redirects to a registered address (CAS 3.0 §2.3). */
export function signOutRoutes(app: FastifyInstance, deps: Deps, pages: Pages): void {
  const { config } = deps

  app.get('/cas/logout', { exposeHeadRoute: false }, async (request: CasRequest, reply) => {
    // The protocol signs out by GET. Only a navigation counts, not an image, a frame or a prefetch.
    if (isVisit(request)) {
      await signOut(deps, browserOf(request, config.SSO_URL), visitor(request))
      forgetBrowser(reply, config.SSO_URL)
    }

    const wanted = single(request.query, 'service') ?? single(request.query, 'url')
    const next = registeredService(wanted, config.SSO_SERVICES)
    if (next) return reply.redirect(next.url.href, 302)
    return pages.show(request, reply, { name: 'signed-out' })
  })
}

async function signOut({ db, jobs, clock }: Deps, browser: Browser, caller: Visitor): Promise<void> {
  const now = clock()
  const isActive = gt(sessions.expiresAt, now)
  const active = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(isOfBrowser(browser), isActive))
  const ids = active.map(({ id }) => id)
  if (ids.length > 0) await db.transaction((tx) => endSessions(tx, ids, { jobs, reason: 'sign-out', caller, now }))
}
