import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice } from '../session/session.cookies.ts'
import { confirmSignUp, requestSignUp } from './sign-up.service.ts'

export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  const { settings, secrets } = deps

  serve(app, wire.signUp, async ({ body }, caller, { request }) => {
    const service = ticketService(body.service, settings)
    if (body.service !== null && !service) throw new Problem('service_refused')
    const device = knownDevice(request, { publicUrl: settings.publicUrl, secrets, email: body.email })
    await requestSignUp(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.confirmEmail, ({ body }, caller) => confirmSignUp(deps, { ...body, caller }))
}
