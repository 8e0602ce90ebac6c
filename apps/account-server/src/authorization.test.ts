import { newMetrics } from '@atrium/server-kit/metrics.ts'
import { authorizationTable, routesOf } from '@atrium/server-kit/test-routes.ts'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { businessClockRoutes } from './business-clock.ts'
import { newWorld } from './test/world.ts'

/** Routes that are not endpoints, and the one of a trial. What they redirect to, and their pages, check for themselves who is signed in. */
const others = {
  'GET /': 'anyone (a redirect)',
  'GET /.well-known/jwks.json': 'anyone (public keys)',
  'GET /account': 'anyone (leads to the sign-in; redeems a ticket)',
  'GET /account/assets/*': 'anyone',
  'GET /account/openapi.json': 'anyone',
  'GET /account/roadmap.html': 'anyone (a redirect)',
  'GET /account/sign-in/': 'anyone (leads to the sign-in)',
  'GET /account/sign-in/fresh/': 'anyone (leads to the sign-in)',
  'GET /account/signed-in': 'anyone (the end of the sign-in popup)',
  'GET /account/signed-in/fresh': 'anyone (the end of the sign-in popup)',
  'GET /livez': 'anyone',
  'GET /metrics': 'who reaches the port of metrics, which is not public; the only route of a worker',
  'GET /readyz': 'anyone',
  'GET /support': 'anyone (leads a support agent to their sign-in)',
  'GET /support/account': 'a support agent, under the grant of a member',
  'GET /support/ended': 'anyone',
  'GET /support{prefix}/account': 'a support agent, under the grant of a member',
  'GET {prefix}/account': 'anyone (leads to the sign-in; redeems a ticket)',
  'GET {prefix}/account/roadmap.html': 'anyone (a redirect)',
  'POST /account': 'the single sign-on, with the ticket of a session (logout)',
  'POST /account/signed-in': 'the single sign-on, with the ticket of a session (logout)',
  'POST /account/signed-in/fresh': 'the single sign-on, with the ticket of a session (logout)',
  'POST /support': 'the single sign-on, with the ticket of a session (logout)',
  'POST /webhooks/paypal/': 'the provider, with its signature',
  'POST /webhooks/stripe/': 'the provider, with its signature',
  'PUT /business-clock/':
    'anyone, where `BUSINESS_CLOCK` is `movable`: to try Atrium out; elsewhere there is no such route',
  'POST {prefix}/account': 'the single sign-on, with the ticket of a session (logout)',
}

/** What is mounted beside the app: for who tries Atrium out, and for a worker, which serves nothing but its metrics. */
async function createOthers(): Promise<void> {
  const clock = { now: () => new Date(), moveTo: async () => undefined }
  const jobs = { unfinished: async () => 0, wake: () => undefined }
  await using app = Fastify()
  businessClockRoutes(app, { clock, jobs, passTime: async () => undefined, queues: [] })
  await using _ = await newMetrics().listen(0, '127.0.0.1')
}

test('who may use each route stands in docs/authorization, and is decided for every one', async () => {
  const routes = await routesOf(async () => {
    await using world = await newWorld()
    await world.request({ method: 'GET', url: '/livez' })
    await createOthers()
  })

  expect(routes.filter(({ endpoint }) => endpoint).length).toBeGreaterThan(100)
  await expect(authorizationTable(routes, others)).toMatchFileSnapshot('../../../docs/authorization/account-server.md')
})

test('a route about which nobody has decided fails, as does one that is gone', () => {
  const page = { method: 'GET', path: '/new', endpoint: undefined }
  expect(() => authorizationTable([page], {})).toThrow('GET /new')
  expect(() => authorizationTable([page], { 'GET /new': 'anyone', 'GET /old': 'anyone' })).toThrow('GET /old')
})
