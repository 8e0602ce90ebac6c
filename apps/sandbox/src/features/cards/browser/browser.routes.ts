import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { release } from '../../../../browser/release.ts'
import { frameKinds, framePage, framePolicy } from './browser.page.ts'

const builtFolder = join(import.meta.dirname, '../../../../dist')

const files = {
  'stripe.js': { path: 'sdk/stripe.js', type: 'text/javascript; charset=utf-8' },
  'frames.js': { path: 'frames/frames.js', type: 'text/javascript; charset=utf-8' },
  'frames.css': { path: 'frames/frames.css', type: 'text/css; charset=utf-8' },
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

  // A page with many fields loads many frames, so the usual rate limit does not fit.
  const unlimited = { config: { rateLimit: false } }

  for (const [name, file] of Object.entries(files)) {
    app.get(at(name), unlimited, (_request, reply) => sendFile(reply, join(folder, file.path), file.type))
  }

  for (const kind of frameKinds) {
    app.get(at(kind), unlimited, (_request, reply) =>
      reply
        .removeHeader('x-frame-options')
        .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': framePolicy(merchant) })
        .send(framePage({ kind, merchant, business: brandName }).markup),
    )
  }
}

/** Read on every request, since it may have been rebuilt. The merchant's page loads it from another origin. */
async function sendFile(reply: FastifyReply, path: string, type: string) {
  const content = await readFile(path).catch(() => undefined)
  if (!content) return reply.callNotFound()
  return reply
    .headers({
      'content-type': type,
      'cache-control': 'public, max-age=60',
      'cross-origin-resource-policy': 'cross-origin',
    })
    .send(content)
}
