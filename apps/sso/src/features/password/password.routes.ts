import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { requestReset, resetPassword } from './password.service.ts'

export function passwordRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.requestPasswordReset, async ({ body }, caller) => {
    await requestReset(deps, { ...body, caller })
    return {}
  })

  serve(app, wire.choosePassword, async ({ body }, caller) => {
    await resetPassword(deps, { ...body, caller })
    return {}
  })
}
