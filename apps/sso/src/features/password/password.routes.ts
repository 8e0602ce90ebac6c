import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { knownDevice } from '../session/session.cookies.ts'
import { requestReset, resetPassword } from './password.service.ts'

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  const { config, secrets } = deps

  serve(app, wire.requestPasswordReset, async ({ body }, caller, { request }) => {
    const device = knownDevice(request, { publicUrl: config.SSO_URL, secrets, email: body.email })
    await requestReset(deps, { ...body, device, caller })
    return {}
  })

  serve(app, wire.choosePassword, async ({ body }, caller) => {
    await resetPassword(deps, { ...body, caller })
    return {}
  })
}
