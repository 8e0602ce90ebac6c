import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** A GET that changes something must come from our own page, which browsers say of each request. */
export function refuseOtherSites(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] !== 'same-origin') throw new Problem('foreign_origin')
}

/**
 * A mutation must come from our own page: browsers send `Origin` with each, and a cross-site page cannot forge it.
 * The public origin comes from settings (`app.decorate('publicOrigin', …)`), never from `Host`.
 */
export function refuseForeignOrigin(app: FastifyInstance, request: FastifyRequest): void {
  const site = request.headers['sec-fetch-site']
  const sameSite = site === undefined || site === 'same-origin'
  if (request.headers.origin !== app.getDecorator<string>('publicOrigin') || !sameSite) {
    throw new Problem('foreign_origin')
  }
}
