import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, setDeviceCookie } from '../session/session.cookies.ts'
import { confirmSignUp, requestSignUp } from './sign-up.service.ts'

export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, secrets } = deps
  const { SSO_URL: publicUrl } = config

  serve(app, wire.signUp, async ({ body }, caller, { request }) => {
    const service = ticketService(body.service, config)
    if (body.service !== null && !service) throw new Problem('service_refused')
    const device = knownDevice(request, { publicUrl, secrets, email: body.email })
    await requestSignUp(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.confirmEmail, async ({ body }, caller, { reply }) => {
    const confirmed = await confirmSignUp(deps, { ...body, caller })
    // Wrong passwords of others must not delay the first sign-in.
    setDeviceCookie(reply, publicUrl, secrets, confirmed.email)
    return confirmed
  })
}
