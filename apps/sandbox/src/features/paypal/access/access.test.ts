import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { newPaypalWorld, requestToken } from '../../../test/paypal.ts'
import { paypalTokens } from '../store/paypal.tables.ts'

const world = await ofFile(newPaypalWorld())

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

test('a client gets a token that says how long it is valid', async () => {
  const reply = await requestToken(world.address, 'client_folio:secret_folio')
  const { access_token: token, ...rest } = reply.json

  expect(reply.status).toBe(200)
  expect(reply.headers.get('paypal-debug-id')).toMatch(/^\w{13}$/)
  expect(rest).toMatchObject({ token_type: 'Bearer', expires_in: 32_400 })
  expect((await world.send('GET', '/v1/billing/plans', bearer(token))).status).toBe(200)
})

test.each(['client_folio:secret_other', 'client folio:', 'folio:secret_folio', ':', 'client_folio'])(
  'the credentials «%s» are refused',
  async (credentials) => {
    const reply = await requestToken(world.address, credentials)

    expect(reply).toMatchObject({ status: 401, json: { error: 'invalid_client' } })
  },
)

test('another grant is refused', async () => {
  const reply = await requestToken(world.address, 'client_folio:secret_folio', 'grant_type=password')

  expect(reply).toMatchObject({ status: 400, json: { error: 'unsupported_grant_type' } })
})

test('every call needs a token that was given out and has not expired', async () => {
  const { access_token: token } = (await requestToken(world.address, 'client_a:secret_a')).json
  await world.db.update(paypalTokens).set({ expiresAt: new Date() }).where(eq(paypalTokens.token, token))
  const paths = ['/v1/catalogs/products', '/v1/billing/plans/P-1', '/v1/billing/nothing', '/v2/nothing']

  for (const path of paths) {
    const none = await world.send('GET', path, { headers: { authorization: '' } })
    expect(none).toMatchObject({ status: 401, json: { name: 'AUTHENTICATION_FAILURE' } })
    for (const one of [token, 'A21AAunknown', '%00']) {
      const reply = await world.send('GET', path, bearer(one))
      expect(reply, `${path} ${one}`).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
    }
  }
})

test('what does not exist is not found, in PayPal’s format', async () => {
  const reply = await world.get('/v2/checkout/nothing')

  expect(reply.status).toBe(404)
  expect(reply.headers.get('paypal-debug-id')).toMatch(/^\w{13}$/)
  expect(reply.json).toMatchObject({
    name: 'RESOURCE_NOT_FOUND',
    message: 'The specified resource does not exist.',
    debug_id: expect.any(String),
    details: [{ issue: 'INVALID_RESOURCE_ID' }],
    links: [{ rel: 'information_link' }],
  })
})

test('an error says what PayPal says of its name', async () => {
  const path = '/v1/catalogs/products'
  const order = (more: object) => world.post('/v2/checkout/orders', { intent: 'CAPTURE', ...more })
  const amount = { value: '1', currency_code: 'KWD' }
  const replies = [
    await world.send('GET', path, { headers: { authorization: '' } }),
    await world.post(path, '{'),
    await world.post(path, {}, { 'content-type': 'text/plain' }),
    await order({ purchase_units: [{ amount }] }),
  ]

  expect(replies.map(({ status, json }) => [status, json.message])).toEqual([
    [401, 'Authentication failed due to missing authorization header, or invalid authentication credentials.'],
    [400, 'Request is not well-formed, syntactically incorrect, or violates schema.'],
    [415, "The server does not support the request payload's media type."],
    [422, 'The requested action could not be performed, semantically incorrect, or failed business validation.'],
  ])
})
