import { refuseForeignOrigin } from '@atrium/server-kit/origin.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Programs send no origin. Browsers do, and only our own page may change anything. @throws Problem `foreign_origin` */
export function refuseOtherPages(app: FastifyInstance, request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const isPage = origin !== undefined || site !== undefined
  if (isPage && request.method !== 'GET') refuseForeignOrigin(app, request)
}

/** Routes to which forms of our own pages are sent. */
export function ownForms(app: FastifyInstance, routes: (forms: FastifyInstance) => void): void {
  app.register(async (forms) => {
    forms.addContentTypeParser<string>(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body))),
    )
    forms.addHook('preHandler', async (request) => {
      if (request.method === 'POST') refuseForeignOrigin(app, request)
    })
    routes(forms)
  })
}
