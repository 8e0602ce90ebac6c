import { visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Pages } from '../../page/pages.ts'
import { emailHint, isMisused, isSet, type RawQuery, single, ticketMethod } from '../cas/cas-query.rules.ts'
import { type ServiceUrl, ticketService, withTicket } from '../cas/service-url.rules.ts'
import { browserId, sessionCookie } from '../session/session.cookies.ts'
import { sessionOf } from '../session/session.queries.ts'
import { personWithoutPassword } from './code-sign-in.service.ts'
import { ticketFromSession } from './session-ticket.writes.ts'

type CasRequest = FastifyRequest<{ Querystring: RawQuery }>

/** `/cas/login`: shows the sign-in page, or redirects a signed-in user back with a ticket (CAS 3.0 §2.1). */
export function loginRoutes(app: FastifyInstance, deps: Deps, pages: Pages): void {
  const { db, config, clock } = deps

  app.get('/cas/login', { exposeHeadRoute: false }, async (request: CasRequest, reply) => {
    const { query } = request
    const service = ticketService(single(query, 'service'), config)
    if (isMisused(query, 'service')) return pages.show(request, reply, { name: 'malformed' }, 400)
    if (query.service !== undefined && !service) return pages.show(request, reply, { name: 'refused-service' }, 403)

    // `renew` requires the password, or a code where there is none, and overrides `gateway` (§2.1.1).
    const renew = isSet(query, 'renew')
    const present = await sessionOf(db, sessionCookie(request, config.SSO_URL), clock())
    const session = renew ? undefined : present

    if (session && !service) return pages.show(request, reply, { name: 'signed-in', email: session.email })
    const gateway = isSet(query, 'gateway')
    if (session && service?.program && !gateway) {
      const { asked, program } = service
      const { email } = session
      return pages.show(request, reply, {
        name: 'program',
        service: asked,
        method: ticketMethod(query),
        email,
        program,
      })
    }
    if (session && service && !service.program) {
      const ticket = await ticketFromSession(deps, { caller: visitor(request), session, service: service.asked })
      if (ticket) return sendTicket(request, reply, { service, ticket, pages })
    }
    if (service && !renew && gateway) return reply.redirect(service.url.href, 302)

    const destination = {
      service: service?.asked ?? null,
      method: ticketMethod(query),
      program: service?.program ?? null,
    }
    // Before a form is sent, so that two tabs which send theirs at once are known to be one browser.
    browserId(request, reply, config.SSO_URL)
    const person = renew ? await personWithoutPassword(db, present, clock()) : undefined
    if (person) return pages.show(request, reply, { name: 'sign-in-code', ...destination, ...person })

    const email = emailHint(query) || (renew && present?.email) || ''
    return pages.show(request, reply, { name: 'sign-in', ...destination, renew, email })
  })
}

interface Sending {
  service: ServiceUrl
  ticket: string
  pages: Pages
}

function sendTicket(request: CasRequest, reply: FastifyReply, { service, ticket, pages }: Sending) {
  switch (ticketMethod(request.query)) {
    case 'POST':
      return pages.postTicket(reply, service.url, ticket)
    case 'HEADER':
      return reply.headers({ service: service.url.href, ticket }).redirect(withTicket(service, ticket), 302)
    case 'GET':
      return reply.redirect(withTicket(service, ticket), 302)
  }
}
