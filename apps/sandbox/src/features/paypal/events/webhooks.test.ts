import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { until } from '../../../test/merchant.ts'
import { ofFile } from '../../../test/of-file.ts'
import { linkOf, newPaypalWorld, newPlan, newProduct } from '../../../test/paypal.ts'
import { newReceiver, signatureFault } from '../../../test/paypal-receiver.ts'
import { faults } from '../store/faults.ts'
import { paypalDeliveries } from '../store/paypal.tables.ts'

const world = await ofFile(newPaypalWorld())

const path = '/v1/notifications'
const productCreated = 'CATALOG.PRODUCT.CREATED'

test('an event is signed as PayPal signs it, up to the root', async () => {
  await using receiver = await newReceiver(world, { events: [productCreated] })
  const { id } = await newProduct(world, { name: 'Ünïcode – 漢字' })
  await receiver.untilTaken(1)
  const [notice] = receiver.taken
  if (!notice) throw new Error('nothing came')

  expect(notice.event).toMatchObject({
    id: expect.stringMatching(/^WH-\w{17}-\w{17}$/),
    event_version: '1.0',
    event_type: productCreated,
    resource: { id, name: 'Ünïcode – 漢字' },
    links: [{ rel: 'self' }, { rel: 'resend' }],
  })
  expect(notice.headers).toMatchObject({ 'paypal-auth-algo': 'SHA256withRSA', 'content-type': 'application/json' })
  expect(await signatureFault(world, notice, receiver.webhook.id)).toBeUndefined()
  expect(await signatureFault(world, { ...notice, body: `${notice.body} ` }, receiver.webhook.id)).toBe(
    'wrong signature',
  )
  expect(await signatureFault(world, notice, 'OTHERWEBHOOK')).toBe('wrong signature')
})

test('after the certificate was rolled, new events have another one, and old ones stay verifiable', async () => {
  await using receiver = await newReceiver(world, { events: [productCreated] })
  await newProduct(world)
  await receiver.untilTaken(1)
  expect((await world.control('POST', 'certificate/roll/')).status).toBe(200)
  await newProduct(world)
  await receiver.untilTaken(2)
  const [before, after] = receiver.taken
  if (!before || !after) throw new Error('nothing came')

  expect(after.headers['paypal-cert-url']).not.toBe(before.headers['paypal-cert-url'])
  for (const notice of [before, after]) expect(await signatureFault(world, notice, receiver.webhook.id)).toBeUndefined()
})

test('a refused delivery is retried with the same id, until it is accepted', async () => {
  await using receiver = await newReceiver(world, { events: [productCreated], refuses: 2 })
  await newProduct(world)
  for (const attempts of [1, 2]) {
    await until(async () => (await deliveries(receiver.webhook.id))[0]?.attempts === attempts)
    const [waiting] = await deliveries(receiver.webhook.id)
    expect(waiting).toMatchObject({ outcome: '503', deliveredAt: null })
    const pause = (waiting?.nextAt?.getTime() ?? 0) - Date.now()
    expect(pause).toBeGreaterThan(1000)
    await world.db
      .update(paypalDeliveries)
      .set({ nextAt: new Date() })
      .where(eq(paypalDeliveries.id, waiting?.id ?? 0))
  }
  await receiver.untilTaken(1)
  await until(async () => (await deliveries(receiver.webhook.id))[0]?.nextAt === null)

  const [delivered] = await deliveries(receiver.webhook.id)
  expect(delivered).toMatchObject({ attempts: 3, nextAt: null })
  expect(receiver.taken[0]?.headers['paypal-transmission-id']).toBe(delivered?.transmissionId)
  expect(receiver.refused()).toBe(2)
})

function deliveries(webhookId: string) {
  return world.db.select().from(paypalDeliveries).where(eq(paypalDeliveries.webhookId, webhookId))
}

test('a delivery can be dropped, repeated, and overtaken by a later one', async () => {
  await using receiver = await newReceiver(world, { events: [productCreated] })
  const plan = { pattern: productCreated, times: 1, milliseconds: 0 }
  await faults.plan(world.db, { kind: 'drop', ...plan })
  await faults.plan(world.db, { kind: 'repeat', ...plan })
  await faults.plan(world.db, { kind: 'reorder', ...plan })
  const ids: string[] = []
  for (let index = 0; index < 4; index += 1) ids.push((await newProduct(world)).id)
  await receiver.untilTaken(4)

  const [dropped, ...rest] = ids
  const seen = receiver.taken.map(({ event: { resource } }) => resource.id)
  expect(seen).not.toContain(dropped)
  expect(seen.filter((id) => id === rest[0])).toHaveLength(2)
  expect(seen.indexOf(rest[2] ?? '')).toBeLessThan(seen.indexOf(rest[1] ?? ''))
})

test('the life of a subscription is told in order', async () => {
  await using own = await newPaypalWorld()
  await using receiver = await newReceiver(own, { events: ['*'] })
  const { id: plan } = await newPlan(own)
  const { id, links } = await own.create('/v1/billing/subscriptions', { plan_id: plan })
  await own.answer(linkOf({ links }, 'approve'), 'approve')
  await own.advance('2026-07-15T10:00:00Z')
  await own.post(`/v1/billing/subscriptions/${id}/cancel`, { reason: 'Done' })
  const { json } = await own.get(`${path}/webhooks-events?page_size=50`)

  expect(json.events.map((one: { event_type: string }) => one.event_type).toReversed()).toEqual([
    'CATALOG.PRODUCT.CREATED',
    'BILLING.PLAN.CREATED',
    'BILLING.SUBSCRIPTION.CREATED',
    'PAYMENT.SALE.COMPLETED',
    'BILLING.SUBSCRIPTION.ACTIVATED',
    'PAYMENT.SALE.COMPLETED',
    'BILLING.SUBSCRIPTION.UPDATED',
    'BILLING.SUBSCRIPTION.CANCELLED',
  ])
  await receiver.untilTaken(8)
  // Two events have this moment, and are delivered in any order.
  const renewal = receiver.taken.find(
    ({ event }) => event.event_type === 'PAYMENT.SALE.COMPLETED' && event.create_time === '2026-07-15T10:00:00.000Z',
  )
  expect(renewal?.event.resource).toMatchObject({ billing_agreement_id: id, amount: { total: '10.00' } })
  expect((await own.get(`${path}/webhooks-events?page_size=3`)).json.count).toBe(3)
})

test('a webhook is created, listed and deleted', async () => {
  const body = { url: 'https://folio.test/hooks', event_types: [{ name: productCreated }] }
  const made = await world.post(`${path}/webhooks`, body)
  const at = `${path}/webhooks/${made.json.id}`
  expect(made).toMatchObject({ status: 201, json: { url: body.url } })
  expect((await world.get(`${path}/webhooks`)).json.webhooks).toContainEqual(made.json)
  expect((await world.send('DELETE', at)).status).toBe(204)
  expect((await world.get(`${path}/webhooks`)).json.webhooks).not.toContainEqual(made.json)
  expect((await world.send('DELETE', at)).status).toBe(404)
})

test('a webhook is refused for a known address, an unknown event, or as the eleventh', async () => {
  await using own = await newPaypalWorld()
  const create = (name: string, url: string) => own.post(`${path}/webhooks`, { url, event_types: [{ name }] })
  await create('*', 'https://folio.test/0')

  expect((await create('*', 'https://folio.test/0')).json.name).toBe('WEBHOOK_URL_ALREADY_EXISTS')
  expect((await create('PAYMENT.LOST', 'https://folio.test/1')).json.name).toBe('VALIDATION_ERROR')
  expect((await create('*', 'ftp://folio.test/1')).status).toBe(400)
  for (let index = 1; index < 10; index += 1) await create('*', `https://folio.test/${index}`)
  expect((await create('*', 'https://folio.test/10')).json.name).toBe('WEBHOOK_NUMBER_LIMIT_EXCEEDED')
})
