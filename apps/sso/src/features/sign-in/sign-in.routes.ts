import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { chosenLocale } from '../../page/language.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, rememberDevice } from '../session/devices.queries.ts'
import { browserOf, sessionCookie, setSessionCookies } from '../session/session.cookies.ts'
import { sessionOf } from '../session/session.queries.ts'
import { sendSignInCode, signInWithCode } from './code-sign-in.service.ts'
import { destinationOf } from './destination.rules.ts'
import { ticketFromSession } from './session-ticket.writes.ts'
import { signInWithPassword } from './sign-in.service.ts'

export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const { config } = deps
  const { SSO_URL: publicUrl } = config

  serve(app, wire.signIn, async ({ body }, caller, { request, reply }) => {
    const service = registered(body.service)
    const started = await signInWithPassword(deps, {
      ...body,
      service,
      caller,
      device: await knownDevice(deps, request, body.email),
      browser: browserOf(request, publicUrl),
      userAgent: request.headers['user-agent'],
      chosenLocale: chosenLocale(request),
    })

    setSessionCookies(reply, publicUrl, started)
    await rememberDevice(deps, { request, reply, email: body.email })
    return destinationOf(config, { service, method: body.method, ticket: started.ticket })
  })

  serve(app, wire.continueToProgram, async ({ body: { service: asked, method } }, caller, { request }) => {
    const service = ticketService(asked, config)
    if (!service?.program) throw new Problem('service_refused')
    const session = await sessionOf(deps.db, sessionCookie(request, publicUrl), deps.clock())
    const ticket = session && (await ticketFromSession(deps, { session, service: service.asked, caller }))
    if (!ticket) throw new Problem('signed_out')
    return destinationOf(config, { service: service.asked, method, ticket })
  })

  serve(app, wire.sendSignInCode, async (_input, caller, { request }) => {
    await sendSignInCode(deps, { session: sessionCookie(request, publicUrl), caller })
    return {}
  })

  serve(app, wire.signInWithCode, async ({ body: { code, method, ...body } }, caller, { request, reply }) => {
    const service = registered(body.service)
    const started = await signInWithCode(deps, {
      code,
      service,
      caller,
      browser: browserOf(request, publicUrl),
      userAgent: request.headers['user-agent'],
      chosenLocale: chosenLocale(request),
    })
    setSessionCookies(reply, publicUrl, started)
    await rememberDevice(deps, { request, reply, email: started.email })
    return destinationOf(config, { service, method, ticket: started.ticket })
  })

  /** @throws Problem `service_refused` */
  function registered(asked: string | null): string | null {
    const service = ticketService(asked, config)
    if (asked !== null && !service) throw new Problem('service_refused')
    return service?.asked ?? null
  }
}
