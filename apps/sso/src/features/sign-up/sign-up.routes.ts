import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, rememberDevice } from '../session/devices.queries.ts'
import { confirmSignUp, requestSignUp } from './sign-up.service.ts'

export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  const { config } = deps

  serve(app, wire.signUp, async ({ body }, caller, { request }) => {
    const service = ticketService(body.service, config)
    if (body.service !== null && !service) throw new Problem('service_refused')
    const device = await knownDevice(deps, request, body.email)
    await requestSignUp(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.confirmEmail, async ({ body }, caller, { request, reply }) => {
    const confirmed = await confirmSignUp(deps, { ...body, caller })
    // Wrong passwords of others must not delay the first sign-in.
    await rememberDevice(deps, { request, reply, email: confirmed.email })
    return confirmed
  })
}
