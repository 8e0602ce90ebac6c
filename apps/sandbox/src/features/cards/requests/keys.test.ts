import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

async function issued(payload: object): Promise<string> {
  const reply = await world.app.inject({ method: 'POST', url: '/cards/control/keys/', payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().key
}

function statusOf(method: string, path: string, key: string) {
  return world.raw(method, path, '', { authorization: `Bearer ${key}` })
}

test('an issued secret key may do everything, one that was never issued nothing', async () => {
  const key = await issued({})
  expect(key).toMatch(/^sk_test_\w{24}$/)
  expect((await statusOf('POST', '/v1/customers', key)).status).toBe(200)

  const refused = await statusOf('GET', '/v1/customers', 'sk_test_abcdefghijklmnop')
  expect(refused).toMatchObject({ status: 401, json: { error: { type: 'invalid_request_error' } } })
  expect(refused.json.error.message).toContain('Invalid API Key provided: sk_test_')
})

test('a restricted key does what its rights allow, and is refused elsewhere', async () => {
  const key = await issued({ rights: ['customers:write', 'invoices:read'] })
  expect(key).toMatch(/^rk_test_/)
  const statuses = []
  for (const [method, path] of [
    ['POST', '/v1/customers'],
    ['GET', '/v1/customers'],
    ['GET', '/v1/invoices'],
    ['POST', '/v1/invoices'],
    ['GET', '/v1/subscriptions'],
  ] as const) {
    statuses.push((await statusOf(method, path, key)).status)
  }
  expect(statuses).toEqual([200, 200, 200, 403, 403])

  const address = new URL(world.address)
  const stripe = new Stripe(key, { host: address.hostname, port: address.port, protocol: 'http', maxNetworkRetries: 0 })
  const error = await world.refused(stripe.subscriptions.list())
  expect(error).toBeInstanceOf(Stripe.errors.StripePermissionError)
  expect(error.message).toContain("'subscriptions:read' permission")
})

test('a key of all rights to read writes nothing', async () => {
  const key = await issued({ rights: ['*:read'] })
  expect((await statusOf('GET', '/v1/prices', key)).status).toBe(200)
  expect((await statusOf('POST', '/v1/customers', key)).status).toBe(403)
})

test('a foreign account is refused', async () => {
  const { status, json } = await world.raw('GET', '/v1/customers', '', { 'stripe-account': 'acct_foreign' })
  expect(status).toBe(403)
  expect(json.error).toMatchObject({ code: 'account_invalid', message: expect.stringContaining("'acct_foreign'") })
})

test.each([
  ['nonsense', 400],
  ['2026-13-45.endive', 400],
  ['2026-10-28.endive', 200],
  ['2019-02-11', 200],
])('version %s is answered with %i', async (version, expected) => {
  const { status, json } = await world.raw('GET', '/v1/customers', '', { 'stripe-version': version })
  expect(status).toBe(expected)
  if (expected === 400) expect(json.error.message).toContain('Invalid Stripe API version')
})
