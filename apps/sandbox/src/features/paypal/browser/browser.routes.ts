import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sendPage } from '../../../page/page.ts'
import { script, sendBuilt, sendFrame, styleSheet, unlimited } from '../../provider-kit/browser-files.ts'
import { isClientId } from '../access/access.routes.ts'
import { buttonPage, buttonPolicy, loadingPage } from './browser.page.ts'

const builtFolder = join(import.meta.dirname, '../../../../dist/paypal')

const files = {
  'button.js': { path: 'button/button.js', type: script },
  'button.css': { path: 'button/button.css', type: styleSheet },
  'popup.js': { path: 'popup/popup.js', type: script },
} as const

const Query = z.object({ 'client-id': z.string().refine(isClientId) })

interface Deps {
  /** The merchant's page, the only one that may embed the buttons. */
  merchantUrl: string
  /** Folder of the built files. */
  folder?: string
}

/** The provider's browser SDK: the script for the merchant's page, the button's frame, and the popup. */
export function browserRoutes(app: FastifyInstance, { merchantUrl, folder = builtFolder }: Deps): void {
  const merchant = new URL(merchantUrl).origin

  app.get('/paypal/sdk/js', unlimited, (request, reply) => {
    if (Query.safeParse(request.query).success) return sendBuilt(reply, join(folder, 'sdk/paypal.js'), script)
    const message = 'SDK Validation error: client-id not recognized'
    return reply
      .code(400)
      .type(script)
      .send(`throw new Error(${JSON.stringify(message)})\n`)
  })

  for (const [name, { path, type }] of Object.entries(files)) {
    app.get(`/paypal/sdk/${name}`, unlimited, (_request, reply) => sendBuilt(reply, join(folder, path), type))
  }

  app.get('/paypal/sdk/button', unlimited, (_request, reply) =>
    sendFrame(reply, buttonPage(merchant), buttonPolicy(merchant)),
  )

  app.get('/paypal/sdk/loading', unlimited, (_request, reply) =>
    sendPage(reply.header('cross-origin-opener-policy', 'unsafe-none'), loadingPage),
  )
}
