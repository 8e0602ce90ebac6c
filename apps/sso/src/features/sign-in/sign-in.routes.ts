import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import { chosenLocale } from '../../page/language.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, sessionCookie, setDeviceCookie, setSessionCookie } from '../session/session.cookies.ts'
import { destinationOf } from './destination.rules.ts'
import { signInWithPassword } from './sign-in.service.ts'

export function signInRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, secrets } = deps
  const { SSO_URL: publicUrl } = config

  serve(app, wire.signIn, async ({ body }, caller, { request, reply }) => {
    const service = ticketService(body.service, config)
    if (body.service !== null && !service) throw new Problem('service_refused')

    const { token, ticket } = await signInWithPassword(deps, {
      ...body,
      service,
      caller,
      device: knownDevice(request, { publicUrl, secrets, email: body.email }),
      replaced: sessionCookie(request, publicUrl),
      userAgent: request.headers['user-agent'],
      chosenLocale: chosenLocale(request),
    })

    setSessionCookie(reply, publicUrl, token)
    setDeviceCookie(reply, publicUrl, secrets, body.email)
    return destinationOf(config, { service: service?.asked ?? null, method: body.method, ticket })
  })
}
