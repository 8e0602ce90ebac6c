import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../../deps.ts'
import * as wire from '../../../wire.ts'
import { sendCode } from '../../popups/email-codes.writes.ts'
import { openPopup, popupOwner } from '../../popups/popups.writes.ts'
import { changePasswordInPopup } from './popup.service.ts'

const purpose = 'password-reset'

/** The reset-password popup of the account page (000 §2.2). */
export function popupRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.openPopup, ({ body }, caller) => openPopup(deps, { ...body, purpose, caller }))

  serve(app, wire.sendPopupCode, async ({ body }, caller) => {
    const userId = await popupOwner(deps.db, { ...body, purpose }, deps.clock())
    await sendCode(deps, { userId, purpose, caller })
    return {}
  })

  serve(app, wire.changePassword, async ({ body }, caller) => {
    await changePasswordInPopup(deps, { ...body, caller })
    return {}
  })
}
