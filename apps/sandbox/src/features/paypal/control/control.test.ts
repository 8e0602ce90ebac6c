import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan } from '../../../test/paypal.ts'
import { newReceiver } from '../../../test/paypal-receiver.ts'
import { origin } from '../../../test/world.ts'

const world = await ofFile(newPaypalWorld())

const products = '/v1/catalogs/products'
const product = { name: 'Editor' }

async function subscription() {
  const { id: plan } = await newPlan(world)
  const made = await world.create('/v1/billing/subscriptions', { plan_id: plan })
  const link = linkOf(made, 'approve')
  const found = async () => (await world.get(`/v1/billing/subscriptions/${made.id}`)).json
  return { id: made.id as string, link, found }
}

async function order() {
  const amount = { value: '9.99', currency_code: 'USD' }
  const made = await world.create('/v2/checkout/orders', { intent: 'CAPTURE', purchase_units: [{ amount }] })
  return { id: made.id as string, link: linkOf(made, 'approve') }
}

/** Presses a button of the page. */
const press = (path: string, form = '') =>
  world.app.inject({
    method: 'POST',
    url: `/paypal/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    payload: form,
  })

test('the page shows what there is, as text', async () => {
  const { id } = await subscription()
  const { id: orderId } = await order()
  await world.post(products, { name: '<script>alert(1)</script>' })
  const { status, text, headers } = await world.page('/paypal')

  expect(status).toBe(200)
  for (const shown of [id, orderId, '$9.99', 'BILLING.SUBSCRIPTION.CREATED']) expect(text).toContain(shown)
  expect(text).not.toContain('<script')
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect((await world.page(`/paypal/objects/${id}`)).text).toContain('APPROVAL_PENDING')
  expect((await world.page('/paypal/objects/NONE')).status).toBe(404)
})

test('its buttons act as the buyer and the merchant', async () => {
  const { id, link, found } = await subscription()
  await world.answer(link, 'approve')
  expect((await press(`funds/${id}/none`)).headers.location).toBe('/paypal')
  await world.advance('2026-07-15T10:00:00Z')
  expect((await world.page('/paypal')).text).toContain(`/paypal/funds/${id}/enough`)
  await press(`funds/${id}/enough`)
  await world.advance('2026-07-20T10:00:00Z')
  expect((await found()).billing_info.cycle_executions[0].cycles_completed).toBe(2)
  await press(`subscriptions/${id}/cancel-as-buyer`)
  expect(await found()).toMatchObject({ status: 'CANCELLED', status_change_note: expect.stringContaining('buyer') })
  expect((await press(`subscriptions/${id}/cancel-as-merchant`)).statusCode).toBe(404)
})

test('a program can do the same', async () => {
  const { id, link, found } = await subscription()
  const approved = await world.control('POST', 'approvals/', { link })
  expect(approved).toMatchObject({ status: 200, json: { location: null } })
  expect((await found()).status).toBe('ACTIVE')
  expect((await world.control('POST', `subscriptions/${id}/cancel/`, { by: 'merchant' })).status).toBe(200)
  expect((await found()).status).toBe('CANCELLED')

  const paid = await order()
  await world.control('POST', 'approvals/', { link: paid.link })
  const { json } = await world.post(`/v2/checkout/orders/${paid.id}/capture`)
  const [capture] = json.purchase_units[0].payments.captures
  expect((await world.control('POST', `payments/${capture.id}/refund/`)).status).toBe(200)
  expect((await world.get(`/v2/payments/captures/${capture.id}`)).json.status).toBe('REFUNDED')
  expect((await world.control('POST', `payments/${capture.id}/refund/`)).status).toBe(404)
  expect((await world.control('POST', 'approvals/', { link: 'https://folio.test/?token=NONE' })).status).toBe(404)
})

test('an unpaid order can be voided, and is not captured then', async () => {
  const { id, link } = await order()
  await world.answer(link, 'approve')

  expect((await world.control('POST', `orders/${id}/void/`)).status).toBe(200)
  expect((await world.get(`/v2/checkout/orders/${id}`)).json.status).toBe('VOIDED')
  expect(await world.post(`/v2/checkout/orders/${id}/capture`)).toMatchObject({
    status: 422,
    issues: ['ORDER_COMPLETED_OR_VOIDED'],
  })
  expect((await world.answer(link, 'approve')).status).toBe(404)
  expect((await world.control('POST', `orders/${id}/void/`)).status).toBe(404)
})

test('the setup of a stack chooses the id of its webhook', async () => {
  const body = { url: 'http://localhost:1/hook', id: 'ATRIUM00000000001' }
  const replies = [await world.control('PUT', 'webhooks/', body), await world.control('PUT', 'webhooks/', body)]

  for (const { json } of replies) expect(json).toEqual({ ...body, eventTypes: ['*'] })
  const { webhooks } = (await world.get('/v1/notifications/webhooks')).json
  expect(webhooks).toContainEqual(expect.objectContaining({ id: body.id, url: body.url }))
  await world.send('DELETE', `/v1/notifications/webhooks/${body.id}`)
})

test('deliveries are listed, and an event can be sent again', async () => {
  await using receiver = await newReceiver(world, { events: ['CATALOG.PRODUCT.CREATED'] })
  await world.post(products, product)
  await receiver.untilTaken(1)
  const { json } = await world.control('GET', 'deliveries/')
  const own = json.list.find(({ eventId }: { eventId: string }) => eventId === receiver.taken[0]?.event.id)

  expect(own).toMatchObject({ type: 'CATALOG.PRODUCT.CREATED' })
  await press(`events/${own.eventId}/resend`)
  await receiver.untilTaken(2)
  expect((await world.control('POST', 'events/WH-NONE/resend/')).status).toBe(404)
})

test('faults happen the given number of times, and can be cleared', async () => {
  await press('faults', 'kind=rate_limit&pattern=%2Fv1%2Fcatalogs%2F*&times=2&milliseconds=0')
  expect((await world.page('/paypal')).text).toContain('2 more')
  const statuses: number[] = []
  for (let index = 0; index < 3; index += 1) statuses.push((await world.post(products, product)).status)
  expect(statuses).toEqual([429, 429, 201])

  const planned = await world.control('POST', 'faults/', { kind: 'error', pattern: '/v2/*' })
  expect(planned.json.list).toEqual([expect.objectContaining({ kind: 'error', remaining: 1 })])
  expect((await world.get('/v1/billing/plans')).status).toBe(200)
  expect((await world.control('DELETE', 'faults/')).json.list).toEqual([])
  await press('faults', 'kind=drop&pattern=*&times=1&milliseconds=0')
  await press('faults/forget')
  expect((await world.control('GET', 'faults/')).json.list).toEqual([])
  expect((await press('faults', 'kind=explode')).statusCode).toBe(404)
})

test('all tokens can expire at once', async () => {
  await using own = await newPaypalWorld()
  await own.control('POST', 'tokens/expire/')

  expect(await own.get('/v1/billing/plans')).toMatchObject({ status: 401, json: { error: 'invalid_token' } })
})

test('another site can do nothing', async () => {
  const { id } = await subscription()
  const foreign = { origin: 'http://evil.test' }
  const form = { ...foreign, 'content-type': 'application/x-www-form-urlencoded' }
  const replies = await Promise.all([
    world.app.inject({
      method: 'PUT',
      url: `/paypal/control/funds/${id}/`,
      headers: foreign,
      payload: { hasFunds: false },
    }),
    world.app.inject({ method: 'DELETE', url: '/paypal/control/faults/', headers: foreign }),
    world.app.inject({ method: 'POST', url: '/paypal/faults', headers: form, payload: 'kind=drop' }),
    world.app.inject({ method: 'POST', url: `/paypal/funds/${id}/none`, headers: form, payload: '' }),
  ])

  expect(replies.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403])
})
