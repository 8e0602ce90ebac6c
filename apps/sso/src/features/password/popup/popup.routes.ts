import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import * as wire from '../../../wire.ts'
import { changePasswordInPopup } from './popup.service.ts'

/** The reset-password popup of the account page (000 §2.2). */
export function popupRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.changePassword, async ({ body }, caller) => {
    await changePasswordInPopup(deps, { ...body, caller })
    return {}
  })
}
