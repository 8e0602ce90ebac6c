import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { newMerchant, until } from '../../../test/merchant.ts'
import { ofFile } from '../../../test/of-file.ts'
import { faults } from '../store/faults.ts'

const world = await ofFile(newCardsWorld())

const never = { enabled: true, allow_redirects: 'never' } as const

test('an endpoint receives the events it subscribed to, with a signature that the SDK accepts', async () => {
  const { stripe } = world
  await using merchant = await newMerchant({ stripe, events: ['setup_intent.succeeded', 'payment_method.attached'] })
  const { id: customer } = await stripe.customers.create({})
  const intent = await stripe.setupIntents.create(
    { customer, payment_method: 'pm_card_visa', confirm: true, automatic_payment_methods: never },
    { idempotencyKey: 'told' },
  )
  await merchant.untilTaken(2)

  expect(merchant.types().sort()).toEqual(['payment_method.attached', 'setup_intent.succeeded'])
  for (const { payload, signature } of merchant.taken) {
    const event = stripe.webhooks.constructEvent(payload, signature, merchant.endpoint.secret ?? '')
    expect(event).toMatchObject({
      object: 'event',
      livemode: false,
      request: { id: intent.lastResponse.requestId, idempotency_key: 'told' },
    })
    expect(() => stripe.webhooks.constructEvent(`${payload} `, signature, merchant.endpoint.secret ?? '')).toThrow()
    expect(() => stripe.webhooks.constructEvent(payload, signature, 'whsec_other')).toThrow()
  }
})

test('the secret of an endpoint is shown once', async () => {
  const { webhookEndpoints } = world.stripe
  const made = await webhookEndpoints.create({ url: 'http://localhost:1/x', enabled_events: ['*'], description: 'd' })

  expect(made.secret).toMatch(/^whsec_\w{32}$/)
  expect(await webhookEndpoints.retrieve(made.id)).not.toHaveProperty('secret')
  expect((await webhookEndpoints.list()).data[0]).not.toHaveProperty('secret')
  expect(await webhookEndpoints.update(made.id, { disabled: true, url: 'https://x.test/' })).toMatchObject({
    status: 'disabled',
    url: 'https://x.test/',
    description: 'd',
  })
  expect(await webhookEndpoints.del(made.id)).toMatchObject({ deleted: true })
  expect((await world.refused(webhookEndpoints.retrieve(made.id))).statusCode).toBe(404)
  expect((await world.refused(webhookEndpoints.create({ url: 'x', enabled_events: ['*'] }))).code).toBe('url_invalid')
})

test('a refused delivery is retried after growing pauses', async () => {
  const { stripe } = world
  await using merchant = await newMerchant({ stripe, events: ['customer.created'], refuses: 2 })
  const { id } = await stripe.customers.create({})
  await until(() => merchant.refused() === 1)
  const [event] = (await stripe.events.list({ type: 'customer.created', limit: 1 })).data
  await until(async () => (await deliveriesOf(event?.id ?? ''))[0]?.attempts === 1)
  expect(event).toMatchObject({ pending_webhooks: 1, data: { object: { id } } })

  world.pass(6000)
  await until(() => merchant.refused() === 2)
  await until(async () => (await deliveriesOf(event?.id ?? ''))[0]?.attempts === 2)
  world.pass(6000)
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(merchant.taken).toHaveLength(0)
  world.pass(6000)
  await merchant.untilTaken(1)

  await until(async () => (await stripe.events.retrieve(event?.id ?? '')).pending_webhooks === 0)
})

test('a delivery can be dropped, repeated, and overtaken by a later one', async () => {
  const { stripe } = world
  await using merchant = await newMerchant({ stripe, events: ['customer.created', 'customer.updated'] })
  await faults.plan(world.db, { kind: 'drop', pattern: 'customer.created', times: 1, milliseconds: 0 })
  await faults.plan(world.db, { kind: 'repeat', pattern: 'customer.updated', times: 1, milliseconds: 0 })

  const { id } = await stripe.customers.create({})
  await stripe.customers.update(id, { name: 'Ada' })
  await merchant.untilTaken(2)
  expect(merchant.types()).toEqual(['customer.updated', 'customer.updated'])
  expect(new Set(merchant.taken.map(({ event }) => event.id)).size).toBe(1)

  await faults.plan(world.db, { kind: 'reorder', pattern: 'customer.*', times: 1, milliseconds: 0 })
  await stripe.customers.update(id, { name: 'Grace' })
  await stripe.customers.update(id, { name: 'Linus' })
  await merchant.untilTaken(4)
  const names = merchant.taken.slice(2).map(({ payload }) => JSON.parse(payload).data.object.name)
  expect(names).toEqual(['Linus', 'Grace'])
})

test('events contain the previous values, and are listed by type', async () => {
  const { customers, events } = world.stripe
  const { id } = await customers.create({ name: 'Before' })
  await customers.update(id, { name: 'After' })
  await customers.update(id, { name: 'After' })
  await customers.del(id)

  const { data } = await events.list({ types: ['customer.updated', 'customer.deleted'], limit: 100 })
  const own = data.filter((event) => JSON.stringify(event.data.object).includes(id))

  expect(own.map(({ type }) => type)).toEqual(['customer.deleted', 'customer.updated'])
  expect(own[1]?.data.previous_attributes).toEqual({ name: 'Before' })
  expect((await events.list({ type: 'customer.*', limit: 3 })).data).toHaveLength(3)
  expect((await world.refused(events.retrieve('evt_none'))).statusCode).toBe(404)
})

test('previous values of nested objects contain only changed fields, null for new ones', async () => {
  const { customers, events } = world.stripe
  const { id } = await customers.create({ metadata: { stays: '1', changes: '2', goes: '3' } })
  await customers.update(id, { metadata: { changes: 'x', goes: '', comes: 'y' }, name: 'Folio' })

  const [event] = (await events.list({ type: 'customer.updated', limit: 1 })).data
  expect(event?.data.previous_attributes).toEqual({
    name: null,
    metadata: { changes: '2', goes: '3', comes: null },
  })
})

test('detaching the default card sends an event of the customer', async () => {
  const { customers, events, paymentMethods } = world.stripe
  const { id } = await customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  const [card] = (await paymentMethods.list({ customer: id })).data
  await paymentMethods.detach(card?.id ?? '')

  const [updated, detached] = (await events.list({ limit: 2 })).data
  expect(detached?.type).toBe('payment_method.detached')
  expect(updated).toMatchObject({
    type: 'customer.updated',
    data: {
      object: { id, invoice_settings: { default_payment_method: null } },
      previous_attributes: { invoice_settings: { default_payment_method: card?.id } },
    },
  })
  expect(updated?.data.previous_attributes).toEqual({ invoice_settings: { default_payment_method: card?.id } })
})

test('deleting a customer with a default card sends no update event', async () => {
  const { customers, events } = world.stripe
  const { id } = await customers.create({
    payment_method: 'pm_card_visa',
    invoice_settings: { default_payment_method: 'pm_card_visa' },
  })
  await customers.del(id)

  const { data } = await events.list({ limit: 2 })
  expect(data.map(({ type }) => type)).toEqual(['customer.deleted', 'payment_method.detached'])
})

test('a payment sends its events in order', async () => {
  const { paymentIntents, events } = world.stripe
  const price = { amount: 900, currency: 'usd', automatic_payment_methods: never }
  const { id } = await paymentIntents.create(price)
  await world.refused(paymentIntents.confirm(id, { payment_method: 'pm_card_chargeDeclined' }))
  await paymentIntents.confirm(id, { payment_method: 'pm_card_visa' })

  const { data } = await events.list({ limit: 20 })
  const own = data.filter((event) => JSON.stringify(event.data.object).includes(id)).toReversed()

  expect(own.map(({ type }) => type)).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
    'charge.succeeded',
    'payment_intent.succeeded',
  ])
})

test('an endpoint can be set repeatedly, with a given secret', async () => {
  const wanted = {
    url: 'http://localhost:1/known',
    secret: 'whsec_chosenBeforehand123',
    enabledEvents: ['charge.failed'],
  }
  const first = await control('PUT', 'webhook-endpoints', wanted)
  const second = await control('PUT', 'webhook-endpoints', { ...wanted, enabledEvents: ['*'] })

  expect(second.json).toEqual({ ...first.json, enabledEvents: ['*'] })
  const { data } = await world.stripe.webhookEndpoints.list()
  expect(data.filter(({ url }) => url === wanted.url)).toHaveLength(1)
  await world.stripe.webhookEndpoints.del(first.json.id)
})

async function control(method: 'PUT' | 'GET', path: string, payload?: object) {
  const reply = await world.app.inject({ method, url: `/cards/control/${path}/`, ...(payload && { payload }) })
  expect(reply.statusCode, reply.body).toBe(200)
  return { json: reply.json() }
}

async function deliveriesOf(eventId: string): Promise<{ attempts: number }[]> {
  const { json } = await control('GET', 'deliveries')
  return json.list.filter((delivery: { eventId: string }) => delivery.eventId === eventId)
}
