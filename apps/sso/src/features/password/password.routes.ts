import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, rememberDevice } from '../session/devices.queries.ts'
import { checkLink, requestReset, resetPassword } from './password.service.ts'

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { config } = deps

  serve(app, wire.requestPasswordReset, async ({ body }, caller, { request }) => {
    if (body.service !== null && !ticketService(body.service, config)) throw new Problem('service_refused')
    const device = await knownDevice(deps, request, body.email)
    await requestReset(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.checkResetLink, async ({ body }) => {
    return { linked: await checkLink(deps, body.token) }
  })

  serve(app, wire.choosePassword, async ({ body }, caller, { request, reply }) => {
    const chosen = await resetPassword(deps, { ...body, caller })
    // Whoever has the mailbox signs in next, which wrong passwords of others must not delay.
    await rememberDevice(deps, { request, reply, email: chosen.email })
    return chosen
  })
}
