import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newPaypalWorld, newProduct, planBody } from '../../test/paypal.ts'
import { origin } from '../../test/world.ts'

/** A shop with one product at two prices, one of which PayPal sells too. */
async function shopWorld() {
  const world = await newPaypalWorld()
  const { port } = new URL(world.address)
  const stripe = new Stripe('sk_test_sandbox', { host: 'localhost', port, protocol: 'http', telemetry: false })
  const product = await stripe.products.create({ name: 'Folio PDF Editor+', metadata: { code: 'FPM' } })
  const priceOf = (interval: 'month' | 'year', unit_amount: number) =>
    stripe.prices.create({
      ...{ product: product.id, currency: 'usd', unit_amount, recurring: { interval } },
      lookup_key: `fpm-${interval}ly-usd`,
    })
  const [monthly, yearly] = [await priceOf('month', 1000), await priceOf('year', 10_000)]
  const { id } = await newProduct(world)
  await world.create('/v1/billing/plans', planBody(id, { more: { description: 'fpm-monthly-usd' } }))
  return {
    ...world,
    ...{ stripe, monthly, yearly },
    async buy(changes: Readonly<Record<string, string>> = {}, path = '/site/shopping') {
      const order = randomUUID()
      const form = {
        order,
        price: monthly.id,
        seats: '3',
        name: 'Ada',
        email: 'ada@folio.test',
        country: 'DE',
        pay: 'card',
      }
      const reply = await world.app.inject({
        method: 'POST',
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
        payload: String(new URLSearchParams({ ...form, ...changes })),
      })
      return { status: reply.statusCode, location: String(reply.headers.location), text: reply.body }
    },
  }
}

test('the shop shows what is on sale, preselects what the address names, and says how it was called', async () => {
  await using world = await shopWorld()
  const { status, text } = await world.page('/site/de/shopping/checkout?sku=FPM&license_id=%3Cscript%3E')
  expect(status).toBe(200)
  expect(text).toContain('Folio PDF Editor+: $10.00 a month · PayPal too')
  expect(text).toContain('Folio PDF Editor+: $100.00 a year')
  expect(text).toMatch(/<option value="price_\w+" selected>/)
  expect(text).toContain('<code>&#60;script&#62;</code>')
  expect(text).not.toContain('<script')
})

test('the address names the product itself, its term and its seats', async () => {
  await using world = await shopWorld()
  const chosen = (license: string, seats: string) =>
    world.page(`/site/shopping/checkout/?sku=pdf-editor-plus&appCode=FPM&license=${license}&buyNum=${seats}`)
  const yearly = await chosen('yearly', '7')
  expect(yearly.text).toContain(`<option value="${world.yearly.id}" selected>`)
  expect(yearly.text).toContain('max="999" value="7"')
  const monthly = await chosen('monthly', '1000')
  expect(monthly.text).toContain(`<option value="${world.monthly.id}" selected>`)
  expect(monthly.text).toContain('max="999" value="1"')
})

test('by card: a subscription that waits for the payment of its first invoice, of the customer with this address', async () => {
  await using world = await shopWorld()
  const [one, other] = [await world.buy(), await world.buy({ price: world.yearly.id })]
  expect([one.status, other.status]).toEqual([303, 303])
  const { text } = await world.page(new URL(one.location).pathname)
  expect(text).toContain('35.70')

  const customers = (await world.stripe.customers.list({ email: 'ada@folio.test' })).data
  expect(customers).toHaveLength(1)
  const { data } = await world.stripe.subscriptions.list({ customer: customers[0]?.id ?? '', status: 'all' })
  expect(data.map(({ status, items }) => [status, items.data[0]?.quantity])).toEqual(Array(2).fill(['incomplete', 3]))
  expect(data.map(({ metadata }) => metadata.accountReference)).toEqual(Array(2).fill(expect.stringMatching(/^a1\./)))
})

test('by PayPal: the buyer approves there, and the subscription’s custom id is the signed reference to the address', async () => {
  await using world = await shopWorld()
  const { location } = await world.buy({ pay: 'paypal' }, '/site/ja-jp/shopping')
  const answered = await world.answer(location, 'approve')
  expect(answered.location).toMatch(/\/site\/ja-jp\/shopping\/thank-you\?/)
  const id = new URL(String(answered.location), origin).searchParams.get('subscription_id')
  const { json } = await world.get(`/v1/billing/subscriptions/${id}`)
  expect(json).toMatchObject({
    status: 'ACTIVE',
    quantity: '3',
    custom_id: expect.stringMatching(/^a1\.[\w-]{43}\.\d+\.[\w-]{43}$/),
  })

  const notSold = await world.buy({ pay: 'paypal', price: world.yearly.id })
  expect([notSold.status, notSold.text.includes('This is not sold with PayPal.')]).toEqual([422, true])
  expect(notSold.text).toContain('value="ada@folio.test"')
})

test('a form that is sent twice is one purchase, by card and by PayPal', async () => {
  await using world = await shopWorld()
  const order = randomUUID()
  const sent = [await world.buy({ order }), await world.buy({ order })]
  expect(new Set(sent.map(({ location }) => location)).size).toBe(1)
  expect((await world.stripe.subscriptions.list({ status: 'all' })).data).toHaveLength(1)
  const approvals = [await world.buy({ order, pay: 'paypal' }), await world.buy({ order, pay: 'paypal' })]
  expect(new Set(approvals.map(({ location }) => location)).size).toBe(1)
})

test('a free trial, with a card on file or without', async () => {
  await using world = await shopWorld()
  expect((await world.buy({ pay: 'trial' })).location).toBe('/site/shopping/thank-you?trial=1')
  await world.buy({ pay: 'trial-card', email: 'grace@folio.test' })
  const { data } = await world.stripe.subscriptions.list({ status: 'trialing' })
  expect(data.map((trial) => trial.default_payment_method !== null)).toEqual([true, false])
  expect((await world.page('/site/shopping/thank-you?trial=1')).text).toContain('Your free trial has begun.')
})

test.each([
  [{ seats: '0' }, 'Please fill in'],
  [{ seats: '1000' }, 'Please fill in'],
  [{ email: 'nobody' }, 'Please fill in'],
  [{ price: 'price_gone' }, 'not on sale any more'],
])('%j is refused with a sentence, and nothing typed is lost', async (changes, sentence) => {
  await using world = await shopWorld()
  const { status, text } = await world.buy({ name: 'Ada <b>', ...changes })
  expect(status).toBe(422)
  expect(text).toContain(sentence)
  expect(text).toContain('value="Ada &#60;b&#62;"')
})

test('a provider in trouble is a sentence; without PayPal the rest is sold', async () => {
  await using world = await shopWorld()
  await world.control('POST', 'faults/', { kind: 'error', pattern: '*', times: 20 })
  expect((await world.page('/site/shopping')).text).toContain('$10.00 a month')
  const refused = await world.buy({ pay: 'paypal' })
  expect(refused.status).toBe(422)
  const fault = { kind: 'error', pattern: '*', times: 20 }
  await world.app.inject({ method: 'POST', url: '/cards/control/faults/', payload: fault })
  const { status, text } = await world.page('/site/shopping')
  expect([status, text.includes('The card provider does not answer.')]).toEqual([503, true])
})
