import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../popup-wire.ts'
import { sendCode } from './email-codes.writes.ts'
import { openedPopup, openPopup } from './popups.writes.ts'

/** What the popups of the account page have in common (000 §2.2, 001 §2). */
export function popupsRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.openPopup, ({ body }, caller) => openPopup(deps, { ...body, caller }))

  serve(app, wire.sendPopupCode, async ({ body }, caller) => {
    const popup = await openedPopup(deps.db, body.popupId, deps.clock())
    await sendCode(deps, { ...popup, caller })
    return {}
  })
}
