import { authorizationTable, routesOf } from '@atrium/server-kit/test-routes.ts'
import { expect, test } from 'vitest'
import { newWorld } from './test/world.ts'

/** Routes that are not endpoints. What they redirect to, and their pages, check for themselves who is signed in. */
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
  'POST {prefix}/account': 'the single sign-on, with the ticket of a session (logout)',
}

test('who may use each route stands in docs/authorization, and is decided for every one', async () => {
  const routes = await routesOf(async () => {
    await using world = await newWorld()
    await world.request({ method: 'GET', url: '/livez' })
  })

  expect(routes.filter(({ endpoint }) => endpoint).length).toBeGreaterThan(100)
  await expect(authorizationTable(routes, others)).toMatchFileSnapshot('../../../docs/authorization/account-server.md')
})

test('a route about which nobody has decided fails, as does one that is gone', () => {
  const page = { method: 'GET', path: '/new', endpoint: undefined }
  expect(() => authorizationTable([page], {})).toThrow('GET /new')
  expect(() => authorizationTable([page], { 'GET /new': 'anyone', 'GET /old': 'anyone' })).toThrow('GET /old')
})
