import { Problem } from '@atrium/server-kit/problem.ts'
import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../wire.ts'
import { registeredService } from '../tickets/service-url.rules.ts'
import { confirmSignUp, requestSignUp } from './sign-up.service.ts'

export function signUpRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.signUp, async ({ body }, caller) => {
    const service = registeredService(body.service, deps.settings.services)
    if (body.service !== null && !service) throw new Problem('service_refused')
    await requestSignUp(deps, { ...body, caller })
    return {}
  })

  serve(app, wire.confirmEmail, ({ body }, caller) => confirmSignUp(deps, body.token, caller))
}
