import { refuseForeignOrigin } from '@atrium/server-kit/origin.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Programs send no origin. Browsers do, and only our own page may change anything. @throws Problem `foreign_origin` */
export function refuseOtherPages(app: FastifyInstance, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isPage = origin !== undefined || site !== undefined
  if (isPage && request.method !== 'GET') refuseForeignOrigin(app, request)
}
