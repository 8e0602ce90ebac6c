import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { newWorld } from '../../../test/world.ts'
import { providerEvents } from './webhooks.tables.ts'

const webhookId = 'TESTWEBHOOKID0001'

interface Delivery {
  headers: Readonly<Record<string, string>>
  body: Buffer
}

const sandbox = await sandboxOfFile()
let server: Server
/** As PayPal's stand-in signed and sent it. */
let delivery: Delivery

beforeAll(async () => {
  const arrived = Promise.withResolvers<Delivery>()
  server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    response.end()
    arrived.resolve({ headers: paypalHeaders(request.headers), body: Buffer.concat(parts) })
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await sandbox.paypal.control('PUT', 'webhooks/', { url: `http://localhost:${port}/`, id: webhookId })
  await sandbox.paypal.call('POST', '/v1/catalogs/products', { name: 'Folio', type: 'DIGITAL' })
  delivery = await arrived.promise
})
afterAll(() => {
  server.close()
})

function paypalHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).filter(([name]) => name.startsWith('paypal-') || name === 'content-type')
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]))
}

const worldWith = (settings: NodeJS.ProcessEnv = {}) =>
  newWorld({ settings: { ...sandbox.settings, PAYPAL_WEBHOOK_ID: webhookId, ...settings } })

function deliver(
  world: Awaited<ReturnType<typeof worldWith>>,
  changes: Readonly<Record<string, string | undefined>> = {},
  body = delivery.body,
) {
  const headers = Object.entries({ ...delivery.headers, ...changes }).filter(([, value]) => value !== undefined)
  return world.request({
    method: 'POST',
    url: '/webhooks/paypal/',
    headers: Object.fromEntries(headers),
    payload: body,
  })
}

test('an event that PayPal signed is stored with its job, once, however often it comes', async () => {
  await using world = await worldWith()
  const replies = await Promise.all(Array.from({ length: 10 }, () => deliver(world)))
  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))

  const { id, resource, resource_type: objectType } = JSON.parse(delivery.body.toString())
  expect(await world.db.select().from(providerEvents).where(eq(providerEvents.id, id))).toHaveLength(1)
  const data = { provider: 'paypal', objectType, objectId: resource.id }
  expect(world.sent).toEqual([{ queue: 'payments.webhooks', data }])
})

const elsewhere = 'http://127.0.0.1:1/v1/notifications/certs/CERT-1'

test.each<[what: string, changes: () => Readonly<Record<string, string | undefined>>]>([
  ['whose signature is missing', () => ({ 'paypal-transmission-sig': undefined })],
  ['whose signature is nonsense', () => ({ 'paypal-transmission-sig': 'AAAA' })],
  ['of another transmission', () => ({ 'paypal-transmission-id': 'another' })],
  ['of another time', () => ({ 'paypal-transmission-time': new Date(Date.now() - 60_000).toISOString() })],
  ['of five years ago', () => ({ 'paypal-transmission-time': '2021-01-01T00:00:00Z' })],
  ['with a time that is none', () => ({ 'paypal-transmission-time': 'yesterday' })],
  ['signed in another way', () => ({ 'paypal-auth-algo': 'SHA1withRSA' })],
  ['whose certificate is at another host', () => ({ 'paypal-cert-url': elsewhere })],
  [
    'whose certificate is another page of PayPal',
    () => ({ 'paypal-cert-url': `${sandbox.url}/paypal/certs/root.pem` }),
  ],
  [
    'whose certificate does not exist',
    () => ({ 'paypal-cert-url': `${sandbox.url}/v1/notifications/certs/CERT-none` }),
  ],
  ['whose address of the certificate is none', () => ({ 'paypal-cert-url': 'no address' })],
])('an event %s is refused, and not stored', async (_what, changes) => {
  await using world = await worldWith()
  const before = await world.db.$count(providerEvents)
  const reply = await deliver(world, changes())
  expect([reply.statusCode, reply.json().code]).toEqual([400, 'malformed'])
  expect([await world.db.$count(providerEvents), world.sent]).toEqual([before, []])
})

test('a changed body, another webhook’s event, and a chain to a root that is not trusted are refused', async () => {
  await using world = await worldWith()
  const changed = Buffer.from(delivery.body.toString().replace('Folio', 'Falio'))
  expect((await deliver(world, {}, changed)).statusCode).toBe(400)
  const mark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), delivery.body])
  expect((await deliver(world, {}, mark)).statusCode).toBe(400)

  await using other = await worldWith({ PAYPAL_WEBHOOK_ID: 'ANOTHERWEBHOOK001' })
  expect((await deliver(other)).statusCode).toBe(400)
  await using strict = await worldWith({ PAYPAL_ROOTS: 'system' })
  expect((await deliver(strict)).statusCode).toBe(400)
})

test('while the certificate cannot be fetched, PayPal is told to deliver again', async () => {
  const away = 'http://localhost:1'
  await using world = await worldWith({ PAYPAL_API_URL: away })
  const reply = await deliver(world, { 'paypal-cert-url': `${away}/v1/notifications/certs/CERT-1` })
  expect(reply.statusCode).toBe(503)
  expect(world.sent).toEqual([])
})

test('without PayPal there is no webhook for it', async () => {
  await using world = await worldWith({ PAYPAL: 'none' })
  expect((await deliver(world)).statusCode).toBe(404)
})
