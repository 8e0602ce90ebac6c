import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())

const site = { origin: 'http://elsewhere.test' }
const asBrowser = { authorization: 'Bearer pk_test_sandbox', ...site }
const never = { enabled: true, allow_redirects: 'never' } as const

/** An intent that waits for a card, as a page sees it. */
async function openIntents() {
  const { id: customer } = await world.stripe.customers.create({ email: 'holder@folio.test' })
  const setup = await world.stripe.setupIntents.create({ customer, automatic_payment_methods: never })
  const payment = await world.stripe.paymentIntents.create({
    customer,
    amount: 4999,
    currency: 'eur',
    automatic_payment_methods: never,
  })
  return [
    { path: `/v1/setup_intents/${setup.id}`, secret: `client_secret=${setup.client_secret}` },
    { path: `/v1/payment_intents/${payment.id}`, secret: `client_secret=${payment.client_secret}` },
  ]
}

test('a secret key is refused from any page, and as a parameter from anyone', async () => {
  const email = 'page@folio.test'
  const replies = [
    await world.raw('GET', '/v1/customers', '', site),
    await world.raw('POST', '/v1/customers', `email=${email}`, site),
    await world.raw('POST', '/v1/customers', `email=${email}`, { origin: 'null' }),
    await world.raw('GET', '/v1/customers?key=sk_test_sandbox', '', { authorization: '' }),
    await world.raw('POST', '/v1/customers', `email=${email}&key=sk_test_sandbox`, { authorization: '' }),
    await world.raw('POST', '/v1/payment_methods', 'type=card&key=rk_test_x', asBrowser),
  ]

  for (const { status, json } of replies) {
    expect(status).toBe(401)
    expect(json.error).toMatchObject({ type: 'invalid_request_error', message: expect.stringContaining('browser') })
  }
  expect((await world.stripe.customers.list({ email })).data).toEqual([])
})

test('a page of any site can create a card with its publishable key', async () => {
  const card = 'type=card&card[token]=tok_visa'
  const replies = [
    await world.raw('POST', '/v1/payment_methods', card, asBrowser),
    await world.raw('POST', '/v1/payment_methods', `${card}&key=pk_test_x`, { authorization: '', ...site }),
  ]

  expect(replies.map(({ status }) => status)).toEqual([200, 200])
})

test('a browser can expand the card of its intent, and nothing further', async () => {
  for (const { path, secret } of await openIntents()) {
    await world.raw('POST', `${path}/confirm`, `${secret}&payment_method=pm_card_visa`, asBrowser)
    const read = (expand: string) => world.raw('GET', `${path}?${secret}&expand[]=${expand}`, '', asBrowser)

    const { json, text } = await read('payment_method')
    expect(json.payment_method).toMatchObject({ object: 'payment_method', card: { last4: '4242' } })
    expect(text).not.toMatch(/fingerprint|holder@folio/)

    for (const wrong of ['payment_method.customer', 'customer', 'latest_attempt', 'latest_charge']) {
      const refused = await read(wrong)
      expect(refused, wrong).toMatchObject({ status: 400, json: { error: { type: 'invalid_request_error' } } })
      expect(refused.text).not.toMatch(/fingerprint|holder@folio/)
    }
  }
})

test('an expansion that is refused changes nothing', async () => {
  for (const { path, secret } of await openIntents()) {
    const form = `${secret}&payment_method=pm_card_visa&expand[]=customer`

    expect((await world.raw('POST', `${path}/confirm`, form, asBrowser)).status).toBe(400)
    expect((await world.raw('GET', path)).json.status).toBe('requires_payment_method')
  }
})

test('a browser sees the card of a failed attempt without its fingerprint', async () => {
  for (const { path, secret } of await openIntents()) {
    const form = `${secret}&payment_method=pm_card_chargeDeclined`
    const declined = await world.raw('POST', `${path}/confirm`, form, asBrowser)
    const read = await world.raw('GET', `${path}?${secret}`, '', asBrowser)

    expect(declined.status).toBe(402)
    expect(read.json.last_setup_error ?? read.json.last_payment_error).toMatchObject({
      code: 'card_declined',
      payment_method: { card: { last4: '0002' } },
    })
    for (const { text } of [declined, read]) expect(text).not.toContain('fingerprint')
  }
})

test.each([
  'off_session=true',
  'capture_method=manual',
  'error_on_requires_action=true',
  'payment_method_options[card][request_three_d_secure]=any',
  'allowed_payment_method_types[]=card',
])('only a server confirms with %s', async (parameter) => {
  const name = /^\w+/.exec(parameter)?.[0]
  for (const { path, secret } of await openIntents()) {
    const form = `payment_method=pm_card_visa&${parameter}`
    const { status, json } = await world.raw('POST', `${path}/confirm`, `${form}&${secret}`, asBrowser)

    expect(status).toBe(400)
    expect(json.error).toMatchObject({ code: 'parameter_unknown', param: name })
    expect((await world.raw('GET', path)).json.status).toBe('requires_payment_method')
  }
})

test('a browser may send what its SDK collects from a customer', async () => {
  const shared = 'payment_method=pm_card_visa&return_url=http://localhost:3000/&use_stripe_sdk=true'
  const mandate = 'mandate_data[customer_acceptance][type]=online'
  const more = 'receipt_email=a@folio.test&setup_future_usage=off_session&shipping[name]=Ada&shipping[address][line1]=x'
  for (const { path, secret } of await openIntents()) {
    const form = [shared, mandate, secret, ...(path.includes('payment') ? [more] : [])].join('&')

    expect((await world.raw('POST', `${path}/confirm`, form, asBrowser)).json.status).toBe('succeeded')
  }
})

test('a browser may extend the future use of a card, but not restrict it', async () => {
  const { paymentIntents } = world.stripe
  const price = { amount: 900, currency: 'eur', automatic_payment_methods: never }
  const confirmed = async (from: 'on_session' | 'off_session', wanted: string) => {
    const { id, client_secret } = await paymentIntents.create({ ...price, setup_future_usage: from })
    const form = `payment_method=pm_card_visa&client_secret=${client_secret}&setup_future_usage=${wanted}`
    return (await world.raw('POST', `/v1/payment_intents/${id}/confirm`, form, asBrowser)).status
  }

  expect(await confirmed('on_session', 'off_session')).toBe(200)
  expect(await confirmed('off_session', 'off_session')).toBe(200)
  expect(await confirmed('off_session', 'on_session')).toBe(400)
  expect(await confirmed('off_session', '')).toBe(400)
})

test('a payment with manual confirmation cannot be confirmed by a browser', async () => {
  const { id, client_secret } = await world.stripe.paymentIntents.create({
    amount: 900,
    currency: 'eur',
    confirmation_method: 'manual',
    automatic_payment_methods: never,
  })
  const form = `payment_method=pm_card_visa&client_secret=${client_secret}`
  const { status, json } = await world.raw('POST', `/v1/payment_intents/${id}/confirm`, form, asBrowser)

  expect(status).toBe(400)
  expect(json.error.code).toBe('payment_intent_invalid_parameter')
  expect((await world.stripe.paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded')
})
