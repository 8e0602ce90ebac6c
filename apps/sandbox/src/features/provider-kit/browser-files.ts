import { readFile } from 'node:fs/promises'
import type { FastifyReply } from 'fastify'
import type { Html } from '../../page/html.ts'

export const script = 'text/javascript; charset=utf-8'
export const styleSheet = 'text/css; charset=utf-8'

/** A page with many fields loads many frames, so the usual rate limit does not fit. */
export const unlimited = { config: { rateLimit: false } } as const

/** Read on every request, since it may have been rebuilt. The merchant's page loads it from another origin. */
export async function sendBuilt(reply: FastifyReply, path: string, type: string) {
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

/** A page that the merchant's page embeds. */
export function sendFrame(reply: FastifyReply, page: Html, policy: string) {
  return reply
    .removeHeader('x-frame-options')
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    .send(page.markup)
}
