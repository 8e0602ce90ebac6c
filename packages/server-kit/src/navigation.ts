import type { FastifyRequest } from 'fastify'

/**
 * Whether a person visits the address in a window of their own: not an image, a frame, a fetch or a prefetch, which other sites can
 * cause unseen. Browsers that say nothing of it count as visiting.
 */
export function isVisit({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const { 'sec-fetch-dest': destination = 'document', 'sec-fetch-mode': mode = 'navigate' } = headers
  const isPrefetch = String(headers['sec-purpose'] ?? '').includes('prefetch')
  return destination === 'document' && mode === 'navigate' && !isPrefetch
}
