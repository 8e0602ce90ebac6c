import { authorizationTable, routesOf } from '@atrium/server-kit/test-routes.ts'
import { expect, test } from 'vitest'
import { newWorld } from './test/world.ts'

/** Routes that are not endpoints. */
const others = {
  'GET /': 'anyone (a redirect)',
  'GET /callback/:provider': 'the browser that began at the login provider',
  'GET /cas/login': 'anyone (the sign-in)',
  'GET /cas/logout': 'anyone (ends the session of the browser)',
  'GET /cas/p3/proxyValidate': 'a registered service, with a ticket that was issued to it',
  'GET /cas/p3/serviceValidate': 'a registered service, with a ticket that was issued to it',
  'GET /cas/proxy': 'nobody (proxy tickets are refused)',
  'GET /cas/proxyValidate': 'a registered service, with a ticket that was issued to it',
  'GET /cas/serviceValidate': 'a registered service, with a ticket that was issued to it',
  'GET /cas/validate': 'a registered service, with a ticket that was issued to it',
  'GET /choose-password': 'a browser with the emailed link',
  'GET /confirm-email': 'a browser with the emailed link',
  'GET /forgotten-password': 'anyone',
  'GET /link-account': 'a popup that was opened with a token of account-server',
  'GET /livez': 'anyone',
  'GET /readyz': 'anyone',
  'GET /reset-password': 'a popup that was opened with a token of account-server',
  'GET /sign-up': 'anyone',
  'GET /unlink-account': 'a popup that was opened with a token of account-server',
}

test('who may use each route stands in docs/authorization, and is decided for every one', async () => {
  const routes = await routesOf(async () => {
    await using world = await newWorld()
    await world.app.ready()
  })

  expect(routes.filter(({ endpoint }) => endpoint).length).toBeGreaterThan(10)
  await expect(authorizationTable(routes, others)).toMatchFileSnapshot('../../../docs/authorization/sso.md')
})
