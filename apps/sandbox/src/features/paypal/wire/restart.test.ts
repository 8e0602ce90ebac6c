import { newLogger } from '@atrium/server-kit/logging.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { sandboxApp } from '../../../app.ts'
import { linkOf, newPaypalWorld } from '../../../test/paypal.ts'
import { paypalReplies } from '../store/paypal.tables.ts'

const amount = { value: '9.99', currency_code: 'USD' }

test('a request id is remembered by another program on the same database, for its time', async () => {
  await using world = await newPaypalWorld()
  const order = await world.create('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount }] })
  await world.answer(linkOf(order, 'approve'), 'approve')
  const path = `/v2/checkout/orders/${order.id}/capture`
  const first = await world.post(path, {}, { 'paypal-request-id': 'once' })

  const config = {
    SANDBOX_URL: 'http://localhost:3002',
    PUBLIC_URL: 'http://localhost:3000',
    SSO_URL: 'http://localhost:3001',
    BRAND_NAME: 'Folio',
    SANDBOX_MOVES_ACCOUNT_CLOCK: false,
    SHOP_SIGNING_SECRET: [],
  }
  const other = await sandboxApp({ config, db: world.db, clock: world.clock, logger: newLogger('sandbox', 'silent') })
  const { access_token: token } = (
    await other.inject({
      method: 'POST',
      url: '/v1/oauth2/token',
      headers: {
        authorization: `Basic ${Buffer.from('client_b:secret_b').toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      payload: 'grant_type=client_credentials',
    })
  ).json()
  const capture = () =>
    other.inject({
      method: 'POST',
      url: path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'paypal-request-id': 'once' },
      payload: '{}',
    })

  const again = await capture()
  expect(again.statusCode).toBe(200)
  expect(again.json()).toEqual(first.json)

  const sevenHoursAgo = new Date(Date.now() - 7 * 3_600_000)
  await world.db.update(paypalReplies).set({ createdAt: sevenHoursAgo }).where(eq(paypalReplies.requestId, 'once'))
  const late = await capture()
  expect(late.json().details[0].issue).toBe('ORDER_ALREADY_CAPTURED')
  await other.close()
})
