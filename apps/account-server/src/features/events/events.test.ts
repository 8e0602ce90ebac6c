import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deactivateKeyDevice } from '@atrium/contract/devices.ts'
import { eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { heldKey, newKeyDevice } from '../../test/factories.ts'
import { newWorld } from '../../test/world.ts'
import { events } from './events.tables.ts'
import { publishEvent } from './events.writes.ts'

const secret = `whsec_${Buffer.from('a secret of the tests, long enough').toString('base64')}`

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

/** A vendor's system that records events and answers with the given statuses. */
async function receiver(answers: number[] = []) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.writeHead(answers.shift() ?? 204).end()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  }
}

test('a deactivated device is published to the vendor’s system, signed', async () => {
  await using erp = await receiver()
  await using world = await newWorld({ work: true, settings: { EVENT_URLS: erp.url, EVENT_SECRET: secret } })
  const holder = await world.member()
  const { license, key } = await heldKey(world, holder)
  const device = await newKeyDevice(world, key.id)
  await world.as(holder).send(deactivateKeyDevice, { params: { id: device.id }, body: { code: key.id } })

  await expect.poll(() => erp.received).toHaveLength(1)
  const [{ headers, body } = { headers: {}, body: '' }] = erp.received
  const verified = new Webhook(secret).verify(body, {
    'webhook-id': String(headers['webhook-id']),
    'webhook-timestamp': String(headers['webhook-timestamp']),
    'webhook-signature': String(headers['webhook-signature']),
  })
  expect(verified).toMatchObject({
    type: 'device.deactivated',
    data: { deviceId: device.id, method: 'keycode', licenseId: license.id, macAddress: device.macAddress },
  })
  expect(body).not.toContain(key.key)
})

test('a failed delivery is repeated with the same id', async () => {
  await using erp = await receiver([500])
  await using world = await newWorld({ work: true, settings: { EVENT_URLS: erp.url, EVENT_SECRET: secret } })
  const now = new Date('2026-06-01T09:30:00Z')
  await world.db.transaction((tx) =>
    publishEvent(world.deps, tx, { type: 'device.activated', data: { deviceId: 'a' }, now }),
  )

  await expect.poll(() => erp.received).toHaveLength(2)
  const [first, second] = erp.received
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id'])
  expect(second?.body).toBe(first?.body)
})

test('a rolled back event is not sent, and each address has its own delivery', async () => {
  await using erp = await receiver()
  await using shop = await receiver()
  const settings = { EVENT_URLS: `${erp.url}, ${shop.url}`, EVENT_SECRET: secret }
  await using world = await newWorld({ work: true, settings })
  const event = (deviceId: string) =>
    ({ type: 'device.activated', data: { deviceId }, now: world.deps.clock() }) as const

  const failed = world.db.transaction(async (tx) => {
    await publishEvent(world.deps, tx, event('rolled-back'))
    throw new Error('something went wrong after')
  })
  await expect(failed).rejects.toThrow('something went wrong after')
  await world.db.transaction((tx) => publishEvent(world.deps, tx, event('stored')))

  await expect.poll(() => [erp.received.length, shop.received.length]).toEqual([1, 1])
  expect(erp.received[0]?.body).toContain('stored')
  expect(shop.received[0]?.body).toBe(erp.received[0]?.body)
})

test('without an address no event is stored; with one, a secret is required', async () => {
  await using world = await newWorld()
  const before = await world.db.$count(events)
  const now = world.deps.clock()
  await world.db.transaction((tx) => publishEvent(world.deps, tx, { type: 'device.activated', data: {}, now }))
  expect([await world.db.$count(events), world.sent]).toEqual([before, []])
  expect(await world.db.$count(events, eq(events.type, 'nothing'))).toBe(0)
  await expect(newWorld({ settings: { EVENT_URLS: 'https://erp.example' } })).rejects.toThrow('EVENT_SECRET')
})
