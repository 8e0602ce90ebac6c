import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice } from '../session/session.cookies.ts'
import { confirmSignUp, requestSignUp } from './sign-up.service.ts'

export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, secrets } = deps

  serve(app, wire.signUp, async ({ body }, caller, { request }) => {
    const service = ticketService(body.service, config)
    if (body.service !== null && !service) throw new Problem('service_refused')
    const device = knownDevice(request, { publicUrl: config.SSO_URL, secrets, email: body.email })
    await requestSignUp(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.confirmEmail, ({ body }, caller) => confirmSignUp(deps, { ...body, caller }))
}
