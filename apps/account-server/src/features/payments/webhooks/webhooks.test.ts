import { randomUUID } from 'node:crypto'
import { eq, like } from 'drizzle-orm'
import { type Logger, pino } from 'pino'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { payments } from '../../../app.ts'
import { cardsPeople } from '../../../test/cards.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { handleEvent } from '../payments.jobs.ts'
import { providerEvents } from './webhooks.tables.ts'

const secret = 'whsec_thissecretisthetests'
const oldSecret = 'whsec_theoneofbeforerolling'

const sandbox = await sandboxOfFile()

const newWorld = (options: { logger?: Logger } = {}) =>
  cardsPeople(sandbox, { STRIPE_WEBHOOK_SECRETS: `${secret}, ${oldSecret}` }, options)
type World = Awaited<ReturnType<typeof newWorld>>

const event = (objectId = 'seti_1NobodysIntent', more: object = {}) => ({
  id: `evt_${randomUUID()}`,
  object: 'event',
  type: 'setup_intent.succeeded',
  data: { object: { id: objectId, object: 'setup_intent' } },
  ...more,
})

interface Signing {
  key?: string
  /** Seconds from now. */
  at?: number
}

function signature(payload: string, { key = secret, at = 0 }: Signing = {}): string {
  const timestamp = Math.trunc(Date.now() / 1000) + at
  return Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
}

function deliver(world: World, payload: string | Buffer, header: string | undefined) {
  return world.request({
    method: 'POST',
    url: '/webhooks/stripe/',
    headers: { 'content-type': 'application/json', ...(header !== undefined && { 'stripe-signature': header }) },
    payload,
  })
}

const stored = (world: World, id: string) => world.db.select().from(providerEvents).where(eq(providerEvents.id, id))

test('a signed event is stored with its job, once, however often it comes', async () => {
  await using world = await newWorld()
  const sent = event()
  const payload = JSON.stringify(sent)
  const replies = await Promise.all(Array.from({ length: 10 }, () => deliver(world, payload, signature(payload))))

  expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await stored(world, sent.id)).toHaveLength(1)
  expect(world.sent.filter(({ queue }) => queue === 'payments.webhooks')).toEqual([
    {
      queue: 'payments.webhooks',
      data: { provider: 'card', objectType: 'setup_intent', objectId: sent.data.object.id },
    },
  ])
})

test('a byte order mark, or bytes that are not text, fail the signature check', async () => {
  await using world = await newWorld()
  const payload = JSON.stringify(event('seti_1\ufffd'))
  const bytes = Buffer.from(payload)
  const mark = Buffer.from([0xef, 0xbb, 0xbf])
  const place = bytes.indexOf(Buffer.from('\ufffd'))
  const broken = Buffer.concat([bytes.subarray(0, place), Buffer.from([0xff]), bytes.subarray(place + 3)])

  for (const body of [Buffer.concat([mark, bytes]), broken]) {
    expect((await deliver(world, body, signature(payload))).statusCode).toBe(400)
  }
  expect((await deliver(world, bytes, signature(payload))).statusCode).toBe(200)
})

test.each([
  ['its own id', (text: string) => event('x', { id: text })],
  ['its type', (text: string) => event('x', { type: text })],
  ['its object’s id', (text: string) => event(text)],
])('an event with text that cannot be stored in %s is refused', async (_where, eventWith) => {
  await using world = await newWorld()
  for (const text of ['a\0b', 'a\ud800b']) {
    const payload = JSON.stringify(eventWith(text))
    const reply = await deliver(world, payload, signature(payload))
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'malformed'])
  }
  const payload = JSON.stringify(event('x', { data: { object: { id: 'x', metadata: { operationId: 'a\0b' } } } }))
  expect((await deliver(world, payload, signature(payload))).statusCode).toBe(200)
})

test('while a secret is rolled, the old one is valid too', async () => {
  await using world = await newWorld()
  const payload = JSON.stringify(event())

  expect((await deliver(world, payload, signature(payload, { key: oldSecret }))).statusCode).toBe(200)
  const both = `${signature(payload, { key: 'whsec_somebodyelses00' })},${signature(payload).split(',')[1]}`
  expect((await deliver(world, payload, both)).statusCode).toBe(200)
})

test.each([
  ['missing', () => undefined],
  ['empty', () => ''],
  ['of another secret', (payload: string) => signature(payload, { key: 'whsec_somebodyelses00' })],
  ['301 seconds old', (payload: string) => signature(payload, { at: -301 })],
  ['301 seconds ahead', (payload: string) => signature(payload, { at: 302 })],
  ['of the same body with other white space', (payload: string) => signature(payload.replaceAll(',', ', '))],
  ['nonsense', () => 't=1,v1=zz'],
  ['empty after the scheme', () => `t=${Math.trunc(Date.now() / 1000)},v1=`],
  ['of two times', (payload: string) => `t=1,${signature(payload)}`],
  ['of a time that is more than digits', (payload: string) => signature(payload).replace('t=', 't=+')],
  ['of a time with a tail', (payload: string) => signature(payload).replace(',', '.0,')],
  ['without a time', (payload: string) => signature(payload).replace(/^t=\d+,/, '')],
])('an event whose signature is %s is refused, and not stored', async (_why, header) => {
  await using world = await newWorld()
  const unsigned = event()
  const payload = JSON.stringify(unsigned)
  const reply = await deliver(world, payload, header(payload))

  expect([reply.statusCode, reply.json().code]).toEqual([400, 'malformed'])
  expect(await stored(world, unsigned.id)).toEqual([])
  expect(world.sent).toEqual([])
})

test.each([
  ['not JSON', 'not json at all', 400],
  ['JSON, but not an event', '{"hello":"world"}', 400],
  ['an event without an object', JSON.stringify({ ...event(), data: {} }), 400],
  ['5 MB', JSON.stringify(event('x', { pad: 'x'.repeat(5_000_000) })), 413],
])('a signed body that is %s is refused', async (_what, payload, status) => {
  await using world = await newWorld()

  expect((await deliver(world, payload, signature(payload))).statusCode).toBe(status)
  expect(await world.db.select().from(providerEvents).where(like(providerEvents.id, 'x%'))).toEqual([])
})

test.each([
  ['not JSON', '{"id":"evt_secret"', 'not JSON'],
  ['JSON of another kind', '["evt_secret"]', 'body: invalid_type'],
  ['without an object', JSON.stringify({ id: 'evt_secret', type: 'secret', data: {} }), 'data.object: invalid_type'],
  ['a thin event without an id', '{"object":"v2.core.event","type":"secret"}', 'id: invalid_type, data: invalid_type'],
])(
  'a signed body that is %s leaves one line with the reason, and nothing of what it says',
  async (_what, payload, reason) => {
    const lines: string[] = []
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    await using world = await newWorld({ logger })
    expect((await deliver(world, payload, signature(payload))).statusCode).toBe(400)

    const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a signed body is not an event')
    expect(said).toMatchObject([{ level: 40, provider: 'card', reason, reqId: expect.any(String) }])
    expect(lines.join()).not.toContain('secret')

    await deliver(world, payload, signature(payload, { key: 'whsec_somebodyelses00' }))
    expect(lines.filter((line) => line.includes('signed body'))).toHaveLength(1)
  },
)

test('an event of an unknown type or object is accepted, and changes nothing', async () => {
  await using world = await newWorld()
  const { member } = await world.memberWithCards(['4242424242424242'])
  const before = await world.additions(member)

  for (const sent of [
    event('seti_1SomebodyElses'),
    event('in_1', { type: 'invoice.finalized' }),
    event('x', { type: 'made.up' }),
    event('y', { data: { object: { id: 'y' } } }),
    event('z', { data: { object: { id: 'z', object: 'made_up', metadata: { operationId: randomUUID() } } } }),
  ]) {
    const payload = JSON.stringify(sent)
    expect((await deliver(world, payload, signature(payload))).statusCode).toBe(200)
  }
  const jobs = world.sent.flatMap(({ data }) => ('objectId' in data ? [data] : []))
  expect(jobs).toHaveLength(5)
  for (const { objectId } of jobs) await world.handleEvent(String(objectId))
  await handleEvent(world.deps, payments.syncs, { provider: 'card', objectType: 'made_up', objectId: 'z' })
  expect(await world.additions(member)).toEqual(before)
})

test.each([
  ['about an object', { related_object: { id: 'acct_1', type: 'v2.core.account', url: '/v2/core/accounts/acct_1' } }],
  ['about none', { related_object: null }],
  ['of other fields', {}],
])('a thin event %s is accepted once, and changes nothing', async (_name, more) => {
  await using world = await newWorld()
  const id = `evt_${randomUUID()}`
  const payload = JSON.stringify({ id, object: 'v2.core.event', type: 'v2.core.account.updated', ...more })
  const statuses = [1, 2].map(async () => (await deliver(world, payload, signature(payload))).statusCode)
  expect(await Promise.all(statuses)).toEqual([200, 200])
  expect(await stored(world, id)).toHaveLength(1)
})

test('an event is only a hint: its copy of the object is not trusted', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { body } = await world.add(member, '4000002760003184')
  const sent = event(body.id, { data: { object: { id: body.id, status: 'succeeded' } } })
  const payload = JSON.stringify(sent)
  await deliver(world, payload, signature(payload))
  await world.handleEvent(body.id)

  expect((await world.list(member)).cardList).toEqual([])
  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['requires_action'])
})

test('events resolve an abandoned addition once, in any order', async () => {
  await using world = await newWorld()
  const member = await world.member()
  const { body } = await world.add(member, '4000002760003184')
  await sandbox.answerBank(body.id, 'complete')
  const types = ['setup_intent.succeeded', 'setup_intent.requires_action', 'setup_intent.created']
  for (const type of types) {
    const sent = event(body.id, { type })
    const payload = JSON.stringify(sent)
    await deliver(world, payload, signature(payload))
    await world.handleEvent(body.id)
  }

  expect((await world.additions(member)).map(({ status }) => status)).toEqual(['succeeded'])
  expect(await world.actions(member)).toEqual(['card.added'])
})

test('a completed authentication is applied from its event, without page or reconciler', async () => {
  await using world = await cardsPeople(sandbox, { STRIPE_WEBHOOK_SECRETS: secret }, { work: true })
  const address = await world.app.listen({ port: 0, host: '127.0.0.1' })
  await sandbox.sendEventsTo(`${address}/webhooks/stripe/`, secret)
  const member = await world.member()
  const { body } = await world.add(member, '4000002760003184')
  await sandbox.answerBank(body.id, 'complete')

  await expect.poll(() => world.actions(member)).toEqual(['card.added'])
})
