import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import * as wire from '../../../wire.ts'
import { rememberDevice } from '../../session/devices.queries.ts'
import { changePasswordInPopup } from './popup.service.ts'

/** The reset-password popup of the account page (000 §2.2). */
export function popupRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.changePassword, async ({ body }, caller, { request, reply }) => {
    const { email } = await changePasswordInPopup(deps, { ...body, caller })
    // They sign in here next, as in `choosePassword`.
    await rememberDevice(deps, { request, reply, email })
    return {}
  })
}
