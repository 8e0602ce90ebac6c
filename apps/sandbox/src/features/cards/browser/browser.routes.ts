import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { release } from '../../../../browser/release.ts'
import { script, sendBuilt, sendFrame, styleSheet, unlimited } from '../../provider-kit/browser-files.ts'
import { frameKinds, framePage, framePolicy } from './browser.page.ts'

const builtFolder = join(import.meta.dirname, '../../../../dist')

const files = {
  'stripe.js': { path: 'sdk/stripe.js', type: script },
  'frames.js': { path: 'frames/frames.js', type: script },
  'frames.css': { path: 'frames/frames.css', type: styleSheet },
} as const

interface Deps {
  /** The merchant's page, the only one that may embed our frames. */
  merchantUrl: string
  brandName: string
  /** Folder of the built files. */
  folder?: string
}

/** The provider's browser SDK: the script for the merchant's page, and the frames with the card fields. */
export function browserRoutes(app: FastifyInstance, { merchantUrl, brandName, folder = builtFolder }: Deps): void {
  const at = (name: string) => `/cards/js/${release}/${name}`
  const merchant = new URL(merchantUrl).origin

  for (const [name, file] of Object.entries(files)) {
    app.get(at(name), unlimited, (_request, reply) => sendBuilt(reply, join(folder, file.path), file.type))
  }

  for (const kind of frameKinds) {
    app.get(at(kind), unlimited, (_request, reply) =>
      sendFrame(reply, framePage({ kind, merchant, business: brandName }), framePolicy(merchant)),
    )
  }
}
