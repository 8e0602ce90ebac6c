import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan } from '../../../test/paypal.ts'

let world = await ofFile(newPaypalWorld())

const usd = (value: string) => ({ value, currency_code: 'USD' })
const old = (total: string) => ({ total, currency: 'USD' })

/** A payment of an order. @returns its id */
async function captured(value = '20.00'): Promise<string> {
  const order = await world.create('/v2/checkout/orders', {
    intent: 'CAPTURE',
    purchase_units: [{ amount: usd(value) }],
  })
  await world.answer(linkOf(order, 'approve'), 'approve')
  const { json } = await world.post(`/v2/checkout/orders/${order.id}/capture`)
  return json.purchase_units[0].payments.captures[0].id
}

/** A payment of a subscription. @returns its id */
async function sold(): Promise<string> {
  const { id: plan } = await newPlan(world, { value: '20' })
  const { id, links } = await world.create('/v1/billing/subscriptions', { plan_id: plan })
  await world.answer(linkOf({ links }, 'approve'), 'approve')
  const period = 'start_time=2020-01-01T00:00:00Z&end_time=2036-01-01T00:00:00Z'
  const { json } = await world.get(`/v1/billing/subscriptions/${id}/transactions?${period}`)
  return json.transactions[0].id
}

const refund = (id: string, body: object = {}, headers: Record<string, string> = {}) =>
  world.post(`/v2/payments/captures/${id}/refund`, body, headers)
const refundSale = (id: string, body: object = {}) => world.post(`/v1/payments/sale/${id}/refund`, body)
const captureStatus = async (id: string) => (await world.get(`/v2/payments/captures/${id}`)).json.status

test('a payment is refunded in parts, and then as a whole', async () => {
  const id = await captured()
  const part = await refund(id, { amount: usd('5.50') })
  const partly = await captureStatus(id)
  const rest = await refund(id)

  expect(part).toMatchObject({ status: 201, json: { status: 'COMPLETED' } })
  expect(Object.keys(part.json).sort()).toEqual(['id', 'links', 'status'])
  expect((await world.get(`/v2/payments/refunds/${part.json.id}`)).json).toMatchObject({
    amount: usd('5.50'),
    seller_payable_breakdown: { total_refunded_amount: usd('5.50') },
  })
  expect(partly).toBe('PARTIALLY_REFUNDED')
  expect((await world.get(`/v2/payments/refunds/${rest.json.id}`)).json.amount).toEqual(usd('14.50'))
  expect(await captureStatus(id)).toBe('REFUNDED')
  expect(await refund(id)).toMatchObject({ status: 422, issues: ['CAPTURE_FULLY_REFUNDED'] })
})

test.each([
  [{ amount: usd('20.01') }, 'REFUND_AMOUNT_EXCEEDED'],
  [{ amount: { value: '5.00', currency_code: 'EUR' } }, 'REFUND_CAPTURE_CURRENCY_MISMATCH'],
  [{ amount: usd('0.00') }, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
])('a refund with %j is refused', async (body, issue) => {
  const id = await captured()

  expect(await refund(id, body)).toMatchObject({ status: 422, issues: [issue] })
  expect(await captureStatus(id)).toBe('COMPLETED')
})

test('simultaneous refunds never exceed the payment', async () => {
  const id = await captured()
  const replies = await Promise.all([1, 2, 3].map(() => refund(id, { amount: usd('8.00') })))

  expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 422])
})

test('a repeated request id refunds once', async () => {
  const id = await captured()
  const headers = { 'paypal-request-id': 'refund-once' }
  const replies = [
    await refund(id, { amount: usd('8.00') }, headers),
    await refund(id, { amount: usd('8.00') }, headers),
  ]

  expect(replies.map(({ status }) => status)).toEqual([201, 200])
  expect(replies[1]?.json.id).toBe(replies[0]?.json.id)
  expect((await refund(id, { amount: usd('12.01') })).issues).toEqual(['REFUND_AMOUNT_EXCEEDED'])
})

test('a payment is refunded for half a year', async () => {
  await using later = await newPaypalWorld()
  const before = world
  world = later
  const id = await captured()
  await later.advance('2026-12-20T00:00:00Z')
  const reply = await refund(id)
  world = before

  expect(reply).toMatchObject({ status: 422, issues: ['REFUND_TIME_LIMIT_EXCEEDED'] })
})

test('the payment of a subscription is refunded with version 1', async () => {
  const id = await sold()
  const part = await refundSale(id, { amount: old('5.00') })
  const partly = (await world.get(`/v1/payments/sale/${id}`)).json.state
  const rest = await refundSale(id)

  expect(part).toMatchObject({
    status: 201,
    json: { state: 'completed', amount: old('5.00'), sale_id: id },
  })
  expect((await world.get(`/v1/payments/refund/${part.json.id}`)).json).toEqual(part.json)
  expect(partly).toBe('partially_refunded')
  expect(rest.json).toMatchObject({ amount: old('15.00'), total_refunded_amount: { value: '20.00', currency: 'USD' } })
  expect((await world.get(`/v1/payments/sale/${id}`)).json.state).toBe('refunded')
  expect(await refundSale(id)).toMatchObject({ status: 400, json: { name: 'TRANSACTION_ALREADY_REFUNDED' } })
})

test('a refund of a sale has the currency of the sale, and is not greater', async () => {
  const id = await sold()

  expect((await refundSale(id, { amount: { total: '1.00', currency: 'EUR' } })).json.name).toBe('CURRENCY_MISMATCH')
  expect((await refundSale(id, { amount: old('20.01') })).json.name).toBe('REFUND_EXCEEDED_TRANSACTION_AMOUNT')
})

test('each version knows its own payments only', async () => {
  const [capture, sale] = [await captured(), await sold()]

  expect((await world.get(`/v2/payments/captures/${sale}`)).status).toBe(404)
  expect((await refund(sale)).status).toBe(404)
  expect(await world.get(`/v1/payments/sale/${capture}`)).toMatchObject({
    status: 404,
    json: { name: 'INVALID_RESOURCE_ID' },
  })
  expect((await refundSale(capture)).status).toBe(404)
  expect((await world.get('/v2/payments/refunds/NONE')).status).toBe(404)
})
