import { ProviderName } from '@atrium/contract/login-providers.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import type { Pages } from '../../page/pages.ts'
import { emailHint, type RawQuery, single, ticketMethod } from '../cas/cas-query.rules.ts'
import { ticketService } from '../cas/service-url.rules.ts'

type PageRequest = FastifyRequest<{ Querystring: RawQuery }>

/** The pages that are not part of a protocol. */
export function pagesRoutes(app: FastifyInstance, { config }: Deps, pages: Pages): void {
  app.get('/', (_request, reply) => reply.redirect(`${config.ACCOUNT_URL}/account`, 302))

  for (const name of ['sign-up', 'forgotten-password'] as const) {
    app.get(`/${name}`, (request: PageRequest, reply) => {
      const service = ticketService(single(request.query, 'service'), config)
      return pages.show(request, reply, {
        name,
        service: service?.asked ?? null,
        method: ticketMethod(request.query),
        email: emailHint(request.query),
      })
    })
  }
  app.get('/link-account', (request: PageRequest, reply) => {
    const { data: provider } = ProviderName.safeParse(request.query.provider)
    const isSetUp = config.PROVIDERS.some(({ name }) => name === provider)
    if (!provider || !isSetUp) return pages.show(request, reply, { name: 'not-found' }, 404)
    return pages.show(request, reply, { name: 'link-account', provider })
  })
  app.get('/unlink-account', (request: PageRequest, reply) => {
    const accountId = single(request.query, 'id')
    if (accountId === undefined) return pages.show(request, reply, { name: 'not-found' }, 404)
    return pages.show(request, reply, { name: 'unlink-account', accountId })
  })
  app.get('/choose-password', (request: PageRequest, reply) => {
    const service = ticketService(single(request.query, 'service'), config)
    return pages.show(request, reply, { name: 'choose-password', service: service?.asked ?? null })
  })
  for (const name of ['confirm-email', 'reset-password'] as const) {
    app.get(`/${name}`, (request, reply) => pages.show(request, reply, { name }))
  }
}
