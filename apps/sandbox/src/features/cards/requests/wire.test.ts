import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { cardObjects } from '../store/cards.tables.ts'

const world = await ofFile(newCardsWorld())

test('every reply has a request id and the version', async () => {
  const { headers, status } = await world.raw('GET', '/v1/customers', '', { 'stripe-version': '2026-10-28.endive' })

  expect(status).toBe(200)
  expect(headers.get('request-id')).toMatch(/^req_[0-9A-Za-z]{14}$/)
  expect(headers.get('stripe-version')).toBe('2026-10-28.endive')
})

test('the key may come as a bearer token or as a user name, and must have been issued', async () => {
  const keys = {
    basic: `Basic ${Buffer.from('sk_test_sandbox:').toString('base64')}`,
    bearer: 'Bearer sk_test_sandbox',
    other: 'Bearer sk_test_other_never_issued',
    live: 'Bearer sk_live_1234567890abcdefghij',
    none: '',
  }
  const replies = await Promise.all(
    Object.values(keys).map((authorization) => world.raw('GET', '/v1/customers', '', { authorization })),
  )

  expect(replies.map(({ status }) => status)).toEqual([200, 200, 401, 401, 401])
  expect(replies[2]?.text).not.toContain('never')
  expect(replies[3]?.json.error.message).toContain('sk_live_')
  expect(replies[3]?.text).not.toContain('1234567890')
})

test('a publishable key cannot do what only a server may', async () => {
  const error = await world.refused(world.browser.customers.list())

  expect(error).toBeInstanceOf(Stripe.errors.StripeAuthenticationError)
  expect(error.code).toBe('secret_key_required')
})

test.each([
  ['a parameter that is none', '/v1/customers', 'foo=1', 'parameter_unknown', 'foo'],
  ['an inner one', '/v1/payment_methods', 'type=card&card[foo]=1', 'parameter_unknown', 'card[foo]'],
  ['one that is missing', '/v1/payment_intents', 'currency=usd', 'parameter_missing', 'amount'],
  ['an inner one missing', '/v1/payment_methods', 'type=card&card[exp_month]=1', 'parameter_missing', 'card[number]'],
  ['no whole number', '/v1/payment_intents', 'amount=1.5&currency=usd', 'parameter_invalid_integer', 'amount'],
  ['a number below none', '/v1/payment_intents', 'amount=-1&currency=usd', 'parameter_invalid_integer', 'amount'],
  [
    'an empty text for what cannot be unset',
    '/v1/payment_intents',
    'amount=&currency=usd',
    'parameter_invalid_empty',
    'amount',
  ],
  ['an object where text belongs', '/v1/customers', 'name[a]=1', undefined, 'name'],
  ['a word that is no choice', '/v1/setup_intents', 'usage=sometimes', undefined, 'usage'],
  ['a truth that is none', '/v1/setup_intents', 'confirm=yes', undefined, 'confirm'],
  ['text with a character that is none', '/v1/customers', 'name=a%00b', 'invalid_characters', 'name'],
])('%s is refused by name', async (_name, path, form, code, param) => {
  const { status, json } = await world.raw('POST', path, form)

  expect(status).toBe(400)
  expect(json.error).toMatchObject({ type: 'invalid_request_error', param, message: expect.any(String) })
  expect(json.error.code).toBe(code)
})

test('an invalid form, an unknown path and a too large body are answered in the same format', async () => {
  const replies = await Promise.all([
    world.raw('POST', '/v1/customers', 'a=1&a[b]=2'),
    world.raw('POST', '/v1/customers', '{}', { 'content-type': 'application/json' }),
    world.raw('GET', '/v1/unicorns'),
    world.raw('POST', '/v1/customers', `name=${'x'.repeat(300_000)}`),
  ])

  expect(replies.map(({ status }) => status)).toEqual([400, 400, 404, 400])
  for (const { json } of replies) expect(json.error.type).toBe('invalid_request_error')
})

test('the same idempotency key returns the same reply, and has no second effect', async () => {
  const form = 'email=once@folio.test&metadata[a]=1'
  const first = await world.raw('POST', '/v1/customers', form, { 'idempotency-key': 'once' })
  const second = await world.raw('POST', '/v1/customers', form, { 'idempotency-key': 'once' })

  expect(second.text).toBe(first.text)
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'))
  const { data } = await world.stripe.customers.list({ email: 'once@folio.test' })
  expect(data).toHaveLength(1)
})

test('a key is refused with other parameters or another path', async () => {
  const idempotencyKey = 'two-things'
  await world.stripe.customers.create({ name: 'Ada' }, { idempotencyKey })
  const other = await world.refused(world.stripe.customers.create({ name: 'Grace' }, { idempotencyKey }))
  const elsewhere = await world.refused(world.stripe.setupIntents.create({}, { idempotencyKey }))

  for (const error of [other, elsewhere]) {
    expect(error).toBeInstanceOf(Stripe.errors.StripeIdempotencyError)
    expect(error.statusCode).toBe(400)
  }
})

test('a key in use is a conflict, and free for the same request afterwards', async () => {
  const { id } = await world.stripe.customers.create({ name: 'Before' })
  const update = () => world.stripe.customers.update(id, { name: 'After' }, { idempotencyKey: 'busy' })

  const started = await world.db.transaction(async (tx) => {
    // The lock on the customer's row blocks the first update.
    await tx.select({ id: cardObjects.id }).from(cardObjects).for('update')
    const first = update()
    await new Promise((resolve) => setTimeout(resolve, 200))
    const error = await world.refused(update())
    expect(error.statusCode).toBe(409)
    expect(error.code).toBe('idempotency_key_in_use')
    return { first }
  })

  expect((await started.first).name).toBe('After')
  expect((await update()).lastResponse.headers['idempotent-replayed']).toBe('true')
})

test('a decline is stored under its key', async () => {
  const attempt = () =>
    world.refused(
      world.stripe.setupIntents.create(
        { payment_method: 'pm_card_visa_chargeDeclined', confirm: true, allowed_payment_method_types: ['card'] },
        { idempotencyKey: 'declined' },
      ),
    )
  const [first, second] = [await attempt(), await attempt()]
  expect(first.setup_intent?.id).toMatch(/^seti_/)
  expect(second.setup_intent?.id).toBe(first.setup_intent?.id)
  expect((await world.stripe.setupIntents.list({ limit: 100 })).data).toHaveLength(1)
})

test('a key expires after a day', async () => {
  const key = { idempotencyKey: 'yesterday' }
  const first = await world.stripe.customers.create({ name: 'Ada' }, key)
  world.pass(25 * 3600 * 1000)

  expect((await world.stripe.customers.create({ name: 'Grace' }, key)).id).not.toBe(first.id)
})

test('lists are paged both ways, and every page says whether there is more', async () => {
  const email = 'paged@folio.test'
  const made: string[] = []
  for (let index = 0; index < 5; index += 1) made.unshift((await world.stripe.customers.create({ email })).id)
  const ids = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)

  const first = await world.stripe.customers.list({ email, limit: 2 })
  const second = await world.stripe.customers.list({ email, limit: 2, starting_after: ids(first)[1] ?? '' })
  const last = await world.stripe.customers.list({ email, limit: 2, starting_after: ids(second)[1] ?? '' })
  const back = await world.stripe.customers.list({ email, limit: 2, ending_before: ids(last)[0] ?? '' })

  expect([...ids(first), ...ids(second), ...ids(last)]).toEqual(made)
  expect([first, second, last].map((page) => page.has_more)).toEqual([true, true, false])
  expect(ids(back)).toEqual(ids(second))
  expect(back.has_more).toBe(true)
  expect(first.url).toBe('/v1/customers')
  expect(await world.stripe.customers.list({ email, limit: 1 }).autoPagingToArray({ limit: 10 })).toHaveLength(5)
})

test('a page has one to a hundred entries, and starts after an existing one', async () => {
  for (const query of ['limit=0', 'limit=101', 'limit=x', 'starting_after=cus_none']) {
    expect((await world.raw('GET', `/v1/customers?${query}`)).status, query).toBe(400)
  }
})

test('a page has one cursor: after an entry, or before it', async () => {
  const { id } = await world.stripe.customers.create()
  const { status, json } = await world.raw('GET', `/v1/customers?starting_after=${id}&ending_before=${id}`)

  expect(status).toBe(400)
  expect(json.error.message).toContain('both starting_after and ending_before')
})

test('only ids are expanded to objects, in objects and in lists', async () => {
  const holder = await world.stripe.customers.create({ name: 'Expanded' })
  const { id } = await world.stripe.setupIntents.create({ customer: holder.id })

  const one = await world.stripe.setupIntents.retrieve(id, { expand: ['customer', 'payment_method'] })
  const many = await world.stripe.setupIntents.list({ customer: holder.id, expand: ['data.customer'] })
  const wrong = await world.refused(world.stripe.setupIntents.retrieve(id, { expand: ['status'] }))

  expect(one.customer).toMatchObject({ object: 'customer', name: 'Expanded' })
  expect(one.payment_method).toBeNull()
  expect(many.data[0]?.customer).toMatchObject({ name: 'Expanded' })
  expect(wrong.message).toContain('cannot be expanded (status)')
})

test('a path through a deleted customer ends there', async () => {
  const holder = await world.stripe.customers.create({ name: 'Deleted' })
  const { id } = await world.stripe.setupIntents.create({ customer: holder.id })
  await world.stripe.customers.del(holder.id)

  const expand = ['customer.invoice_settings.default_payment_method']
  const { customer } = await world.stripe.setupIntents.retrieve(id, { expand })

  expect(customer).toEqual({ id: holder.id, object: 'customer', deleted: true })
})

test('a page of any origin may call with its publishable key', async () => {
  const reply = await fetch(`${world.address}/v1/payment_methods`, {
    method: 'OPTIONS',
    headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
  })

  expect(reply.status).toBe(204)
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(reply.headers.get('access-control-allow-headers')).toContain('authorization')
})
