import { expect, test } from 'vitest'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld } from '../../../test/paypal.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v2/checkout/orders'
const usd = (value: string) => ({ value, currency_code: 'USD' })
const experience = {
  return_url: 'https://folio.test/back?x=1',
  cancel_url: 'https://folio.test/stop',
  user_action: 'PAY_NOW',
}

function orderBody(unit: object = {}, more: object = {}) {
  return { intent: 'CAPTURE', purchase_units: [{ amount: usd('49.90'), ...unit }], ...more }
}

let made = 0

/** An order that waits for the buyer. */
async function asked(unit: object = {}) {
  made += 1
  const body = orderBody(unit, { payment_source: { paypal: { experience_context: experience } } })
  return (await world.post(path, body, { 'paypal-request-id': `asked-${made}` })).json
}

async function approved(unit: object = {}, answer: 'approve' | 'no-funds' = 'approve'): Promise<string> {
  const order = await asked(unit)
  await world.answer(linkOf(order, 'payer-action'), answer)
  return order.id
}

const capture = (id: string, headers: Record<string, string> = {}) =>
  world.post(`${path}/${id}/capture`, undefined, headers)
const found = async (id: string) => (await world.get(`${path}/${id}`)).json

test('an order without a payment source is created, one with it waits for the payer', async () => {
  const plain = await world.post(path, orderBody())
  const order = await asked({ custom_id: 'quote-1', invoice_id: 'ours-1' })

  expect(plain).toMatchObject({ status: 201, json: { status: 'CREATED' } })
  expect(linkOf(plain.json, 'approve')).toContain(`/paypal/approve?token=${plain.json.id}`)
  expect(order.status).toBe('PAYER_ACTION_REQUIRED')
  expect(Object.keys(order).sort()).toEqual(['id', 'links', 'payment_source', 'status'])
  expect(linkOf(order, 'payer-action')).toContain(`token=${order.id}`)
  expect(await found(order.id)).toMatchObject({
    intent: 'CAPTURE',
    purchase_units: [{ reference_id: 'default', custom_id: 'quote-1', invoice_id: 'ours-1', amount: usd('49.90') }],
  })
})

test('the buyer approves, and comes back with the token and who they are', async () => {
  const order = await asked()
  const left = await world.answer(linkOf(order, 'payer-action'), 'approve')
  const after = await found(order.id)

  expect(left.status).toBe(303)
  expect(left.location).toBe(`https://folio.test/back?x=1&token=${order.id}&PayerID=${after.payer.payer_id}`)
  expect(after).toMatchObject({ status: 'APPROVED', payment_source: { paypal: { account_status: 'VERIFIED' } } })
})

test('another account may approve an order, and a guest, who has none', async () => {
  const [order, other, guest, next] = [await asked(), await asked(), await asked(), await asked()]
  await world.answer(linkOf(order, 'payer-action'), 'approve')
  const left = await world.answer(linkOf(other, 'payer-action'), 'approve-other')
  for (const { links } of [guest, next]) await world.answer(linkOf({ links }, 'payer-action'), 'approve-guest')
  const [own, theirs] = [await found(order.id), await found(other.id)]
  const ids = [own, theirs, await found(guest.id), await found(next.id)].map(({ payer }) => payer.payer_id)

  expect(new Set(ids).size).toBe(4)
  expect(theirs.payment_source.paypal.account_id).toBe(theirs.payer.payer_id)
  expect(left.location).toContain(`PayerID=${theirs.payer.payer_id}`)
  const { status, payment_source: source } = (await capture(guest.id)).json
  expect([status, Object.keys(source)]).toEqual(['COMPLETED', ['card']])
})

test('an approved order is captured once', async () => {
  const id = await approved({ custom_id: 'quote-2', invoice_id: 'ours-2' })
  const first = await capture(id)
  const again = await capture(id)
  const [payment] = first.json.purchase_units[0].payments.captures

  expect(first).toMatchObject({
    status: 201,
    json: { id, status: 'COMPLETED', payer: { email_address: expect.any(String) } },
  })
  expect(payment).toMatchObject({
    status: 'COMPLETED',
    amount: usd('49.90'),
    final_capture: true,
    custom_id: 'quote-2',
    invoice_id: 'ours-2',
    seller_receivable_breakdown: { gross_amount: usd('49.90'), paypal_fee: usd('2.23'), net_amount: usd('47.67') },
  })
  expect(again).toMatchObject({
    status: 422,
    json: { name: 'UNPROCESSABLE_ENTITY' },
    issues: ['ORDER_ALREADY_CAPTURED'],
  })
  expect((await found(id)).purchase_units[0].payments.captures).toHaveLength(1)
  expect((await world.get(`/v2/payments/captures/${payment.id}`)).json).toMatchObject({
    id: payment.id,
    supplementary_data: { related_ids: { order_id: id } },
  })
})

test('an order that was not approved is not captured', async () => {
  const { id } = await asked()

  expect(await capture(id)).toMatchObject({ status: 422, issues: ['ORDER_NOT_APPROVED'] })
  expect((await found(id)).status).toBe('PAYER_ACTION_REQUIRED')
})

test('a declined payment leaves the order approved, and the buyer can choose another one', async () => {
  const id = await approved({}, 'no-funds')
  const declined = await capture(id)
  expect(declined).toMatchObject({ status: 422, issues: ['INSTRUMENT_DECLINED'] })
  expect(await found(id)).toMatchObject({ status: 'APPROVED' })

  await world.answer(linkOf(declined.json, 'redirect'), 'approve')
  expect(await capture(id)).toMatchObject({ status: 201, json: { status: 'COMPLETED' } })
})

test('of two simultaneous captures with different request ids one succeeds', async () => {
  const id = await approved()
  const replies = await Promise.all(['a', 'b', 'c'].map((name) => capture(id, { 'paypal-request-id': `race-${name}` })))
  const refused = replies.filter(({ status }) => status === 422)

  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  for (const { issues } of refused) expect(issues).toEqual(['ORDER_ALREADY_CAPTURED'])
  expect((await found(id)).purchase_units[0].payments.captures).toHaveLength(1)
})

test('simultaneous captures with the same request id have one result', async () => {
  const id = await approved()
  const replies = await Promise.all([1, 2, 3].map(() => capture(id, { 'paypal-request-id': 'same' })))
  const ids = replies.map(({ json }) => json.purchase_units[0].payments.captures[0].id)

  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(ids).size).toBe(1)
})

test('an approved order takes another amount, payee and custom id until it is captured', async () => {
  const id = await approved({ custom_id: 'quote-3' })
  const unit = "/purchase_units/@reference_id=='default'"
  const patch = (field: string, value: unknown) =>
    world.patch(`${path}/${id}`, [{ op: 'replace', path: `${unit}/${field}`, value }])

  expect(await patch('intent', 'AUTHORIZE')).toMatchObject({ status: 400, issues: ['INVALID_PATCH_PATH'] })
  expect((await found(id)).purchase_units[0].payee.email_address).toBe('merchant@business.example.com')
  expect((await patch('amount', usd('0.01'))).status).toBe(204)
  expect((await patch('payee/email', 'stranger@example.test')).status).toBe(204)
  expect((await patch('custom_id', 'quote-4')).status).toBe(204)
  expect((await capture(id)).json.purchase_units[0].payments.captures).toMatchObject([{ amount: usd('0.01') }])
  expect((await found(id)).purchase_units).toMatchObject([
    { amount: usd('0.01'), custom_id: 'quote-4', payee: { email_address: 'stranger@example.test' } },
  ])
  expect(await patch('amount', usd('1.00'))).toMatchObject({ status: 422, issues: ['ORDER_ALREADY_COMPLETED'] })
})

test('a request id makes one order, answers its present state, and ignores another body', async () => {
  const headers = { 'paypal-request-id': 'one-order' }
  const first = await world.post(path, orderBody(), headers)
  await world.answer(linkOf(first.json, 'approve'), 'approve')
  const second = await world.post(path, orderBody({ amount: usd('1.00') }), headers)

  expect(first.status).toBe(201)
  expect(second).toMatchObject({ status: 200, json: { id: first.json.id, status: 'APPROVED' } })
  expect((await found(first.json.id)).purchase_units[0].amount).toMatchObject(usd('49.90'))
})

test('a refused request leaves its id free', async () => {
  const { id } = await world.create(path, orderBody())
  const headers = { 'paypal-request-id': 'too-early' }
  expect((await capture(id, headers)).issues).toEqual(['ORDER_NOT_APPROVED'])
  await world.answer(`${world.address}/paypal/approve?token=${id}`, 'approve')

  expect(await capture(id, headers)).toMatchObject({ status: 201, json: { status: 'COMPLETED' } })
})

test('an order with a payment source needs a request id', async () => {
  const body = orderBody({}, { payment_source: { paypal: { experience_context: experience } } })

  expect(await world.post(path, body)).toMatchObject({ status: 400, issues: ['PAYPAL_REQUEST_ID_REQUIRED'] })
})

test('the whole order is answered on request', async () => {
  const order = await world.create(path, orderBody({ description: 'Editor' }))

  expect(order).toMatchObject({
    intent: 'CAPTURE',
    purchase_units: [{ description: 'Editor' }],
    create_time: expect.any(String),
  })
})

test('an invoice number is used for one payment only', async () => {
  const ids = [await approved({ invoice_id: 'twice' }), await approved({ invoice_id: 'twice' })]
  const replies = await Promise.all(ids.map((id) => capture(id)))

  expect(replies.map(({ status }) => status).sort()).toEqual([201, 422])
  expect(replies.find(({ status }) => status === 422)?.issues).toEqual(['DUPLICATE_INVOICE_ID'])
})

test.each([
  [{ amount: usd('0.00') }, 'CANNOT_BE_ZERO_OR_NEGATIVE'],
  [{ amount: usd('1.005') }, 'DECIMAL_PRECISION'],
  [{ amount: { value: '1', currency_code: 'KWD' } }, 'INVALID_CURRENCY_CODE'],
])('a unit with %j is refused', async (unit, issue) => {
  expect(await world.post(path, orderBody(unit))).toMatchObject({ status: 422, issues: [issue] })
})

test.each([
  [{ intent: 'AUTHORIZE' }, 'INVALID_PARAMETER_VALUE'],
  [{ intent: undefined }, 'MISSING_REQUIRED_PARAMETER'],
  [{ purchase_units: [] }, 'INVALID_ARRAY_MIN_ITEMS'],
  [{ purchase_units: [{ amount: usd('-1.00') }] }, 'INVALID_PARAMETER_SYNTAX'],
  [{ payment_source: { card: {} } }, 'MISSING_REQUIRED_PARAMETER'],
])('an order with %j is refused', async (more, issue) => {
  const reply = await world.post(path, orderBody({}, more))

  expect(reply.status).toBe(400)
  expect(reply.issues).toContain(issue)
})

test('units need reference ids of their own, and one currency', async () => {
  const two = (first: object, second: object) => ({ intent: 'CAPTURE', purchase_units: [first, second] })
  const euro = { value: '1.00', currency_code: 'EUR' }

  expect((await world.post(path, two({ amount: usd('1.00') }, { amount: usd('2.00') }))).issues).toEqual([
    'DUPLICATE_REFERENCE_ID',
  ])
  expect(
    (await world.post(path, two({ amount: usd('1.00'), reference_id: 'a' }, { amount: euro, reference_id: 'b' })))
      .issues,
  ).toEqual(['MULTI_CURRENCY_ORDER'])
})

test('a capture says that its body is JSON, even without one', async () => {
  const id = await approved()
  const reply = await capture(id, { 'content-type': 'text/plain' })

  expect(reply).toMatchObject({ status: 415, json: { name: 'UNSUPPORTED_MEDIA_TYPE' } })
})

test('an unknown order is not found', async () => {
  expect((await world.get(`${path}/NONE`)).status).toBe(404)
  expect((await capture('NONE')).status).toBe(404)
})
