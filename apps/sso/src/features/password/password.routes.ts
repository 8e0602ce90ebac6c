import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { ticketService } from '../cas/service-url.rules.ts'
import { knownDevice, setDeviceCookie } from '../session/session.cookies.ts'
import { refuseSpentLink, requestReset, resetPassword } from './password.service.ts'

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, secrets } = deps
  const { SSO_URL: publicUrl } = config

  serve(app, wire.requestPasswordReset, async ({ body }, caller, { request }) => {
    if (body.service !== null && !ticketService(body.service, config)) throw new Problem('service_refused')
    const device = knownDevice(request, { publicUrl, secrets, email: body.email })
    await requestReset(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.checkResetLink, async ({ body }) => {
    await refuseSpentLink(deps, body.token)
    return {}
  })

  serve(app, wire.choosePassword, async ({ body }, caller, { reply }) => {
    const chosen = await resetPassword(deps, { ...body, caller })
    // Whoever has the mailbox signs in next, which wrong passwords of others must not delay.
    setDeviceCookie(reply, publicUrl, secrets, chosen.email)
    return chosen
  })
}
