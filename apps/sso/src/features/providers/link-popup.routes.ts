import { serve } from '@atrium/server-kit/serve.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.ts'
import * as wire from '../../provider-wire.ts'
import { sendCode } from '../popups/email-codes.writes.ts'
import { openPopup, popupOwner } from '../popups/popups.writes.ts'
import { browserId } from '../session/session.cookies.ts'
import { startLinking } from './link.service.ts'

const purpose = 'account-link'

/** The popup of the account page in which a login provider is linked. */
export function linkPopupRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, wire.openLinkPopup, ({ body }, caller) => openPopup(deps, { ...body, purpose, caller }))

  serve(app, wire.sendLinkCode, async ({ body }, caller) => {
    const userId = await popupOwner(deps.db, { ...body, purpose }, deps.clock())
    await sendCode(deps, { userId, purpose, caller })
    return {}
  })

  serve(app, wire.startLink, async ({ body }, caller, { request, reply }) => {
    const browser = browserId(request, reply, deps.config.SSO_URL)
    return { redirectUrl: await startLinking(deps, { ...body, browser, caller }) }
  })
}
