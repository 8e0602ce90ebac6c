import { driverError, isDatabaseUnavailable } from '@atrium/server-kit/database-failure.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { type RawQuery, single } from '../cas/cas-query.rules.ts'
import { type CasAnswer, casJson, casXml } from '../cas/cas-reply.rules.ts'
import { refusal, validateTicket } from './validation.service.ts'

/** The back channel, where services validate tickets (CAS 3.0 §2.4 to §2.8). */
export function validationRoutes(app: FastifyInstance, deps: Deps): void {
  const validation = (allowsProxy: boolean, withAttributes: boolean) => (request: CasRequest, reply: FastifyReply) =>
    answer(request, reply, () => validateTicket(deps, { query: request.query, allowsProxy, withAttributes }))
  // A HEAD would use the ticket up without an answer. All sign-ins of a service come from its one IP address, so there is
  // no rate limit.
  const get = { exposeHeadRoute: false, config: { rateLimit: false as const } }

  app.get('/cas/serviceValidate', get, validation(false, false))
  app.get('/cas/proxyValidate', get, validation(true, false))
  app.get('/cas/p3/serviceValidate', get, validation(false, true))
  app.get('/cas/p3/proxyValidate', get, validation(true, true))

  app.get('/cas/validate', get, async (request: CasRequest, reply) => {
    const found = await safely(request, () =>
      validateTicket(deps, { query: request.query, allowsProxy: false, withAttributes: false }),
    )
    const lines = found.kind === 'authenticationSuccess' ? `yes\n${found.success.user}\n` : 'no\n\n'
    return reply.type('text/plain; charset=utf-8').send(lines)
  })

  app.get('/cas/proxy', get, (request: CasRequest, reply) => {
    const isWhole = single(request.query, 'pgt') && single(request.query, 'targetService')
    return send(request, reply, refusal(isWhole ? 'UNAUTHORIZED_SERVICE' : 'INVALID_REQUEST', 'proxyFailure'))
  })
}

type CasRequest = FastifyRequest<{ Querystring: RawQuery }>

async function answer(request: CasRequest, reply: FastifyReply, validate: () => Promise<CasAnswer>) {
  return send(request, reply, await safely(request, validate))
}

/** A service expects a reply in its own protocol, even to an internal error. */
async function safely(request: CasRequest, validate: () => Promise<CasAnswer>): Promise<CasAnswer> {
  try {
    return await validate()
  } catch (error) {
    const { url: route } = request.routeOptions
    // An outage is not a fault: one short line, as for other requests.
    if (isDatabaseUnavailable(error)) request.log.warn({ route, reason: driverError(error) }, 'database unavailable')
    else request.log.error({ err: error, route }, 'ticket validation failed')
    return refusal('INTERNAL_ERROR')
  }
}

function send(request: CasRequest, reply: FastifyReply, found: CasAnswer) {
  if (single(request.query, 'format')?.toUpperCase() === 'JSON') return reply.send(casJson(found))
  return reply.type('application/xml; charset=utf-8').send(casXml(found))
}
