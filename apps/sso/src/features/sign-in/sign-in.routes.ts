import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService, withTicket } from '../cas/service-url.rules.ts'
import { knownDevice, sessionCookie, setDeviceCookie, setSessionCookie } from '../session/session.cookies.ts'
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
    })

    setSessionCookie(reply, publicUrl, token)
    setDeviceCookie(reply, publicUrl, secrets, body.email)
    if (!service || !ticket) return { redirectUrl: `${config.ACCOUNT_URL}/account`, ticket: null }
    if (body.method === 'POST') return { redirectUrl: service.url.href, ticket }
    return { redirectUrl: withTicket(service, ticket), ticket: null }
  })
}
