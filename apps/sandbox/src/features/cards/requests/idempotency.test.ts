import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { faults } from '../store/faults.ts'
import { claimKey, releaseKey, saveReply } from './idempotency.ts'

const world = await ofFile(newCardsWorld())

const key = (name: string) => ({ 'idempotency-key': name })

test('a 500 is stored under its key like any other reply, and returned again', async () => {
  await faults.plan(world.db, { kind: 'error', pattern: '/customers', times: 1, milliseconds: 0 })
  const form = 'email=broken@folio.test'
  const first = await world.raw('POST', '/v1/customers', form, key('broken'))
  const second = await world.raw('POST', '/v1/customers', form, key('broken'))

  expect(first).toMatchObject({ status: 500, json: { error: { type: 'api_error' } } })
  expect(second).toMatchObject({ status: 500, text: first.text })
  expect(first.headers.get('idempotent-replayed')).toBeNull()
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.headers.get('original-request')).toBe(first.headers.get('request-id'))
  expect((await world.stripe.customers.list({ email: 'broken@folio.test' })).data).toHaveLength(1)
})

test('a fault after the reply was stored does not change it', async () => {
  const form = 'email=stored@folio.test'
  const first = await world.raw('POST', '/v1/customers', form, key('stored'))
  await faults.plan(world.db, { kind: 'error', pattern: '/customers', times: 1, milliseconds: 0 })
  const second = await world.raw('POST', '/v1/customers', form, key('stored'))

  expect(second).toMatchObject({ status: 200, text: first.text })
})

test('a refusal stays stored under its key, even if the request would succeed now', async () => {
  const { id } = await world.stripe.setupIntents.create({
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
  })
  const confirm = (name: string) => world.raw('POST', `/v1/setup_intents/${id}/confirm`, '', key(name))
  const first = await confirm('too-early')
  await world.stripe.setupIntents.update(id, { payment_method: 'pm_card_visa' })
  const second = await confirm('too-early')

  expect(first).toMatchObject({ status: 400, json: { error: { code: 'setup_intent_unexpected_state' } } })
  expect(second).toMatchObject({ status: 400, text: first.text })
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect((await confirm('in-time')).json.status).toBe('succeeded')
})

test('a refusal before the operation ran leaves the key free', async () => {
  await faults.plan(world.db, { kind: 'rate_limit', pattern: '/customers', times: 1, milliseconds: 0 })
  const forms = ['name=Limited', 'foo=1', 'balance=x', 'name=Ada']
  const statuses: number[] = []
  for (const form of forms) statuses.push((await world.raw('POST', '/v1/customers', form, key('free'))).status)

  expect(statuses).toEqual([429, 400, 400, 200])
})

test('a request that lost its key neither frees it nor stores a reply', async () => {
  const now = new Date()
  const use = { key: 'slow', path: '/v1/customers', parameters: '', now }
  const later = new Date(now.getTime() + 61_000)
  const reply = { status: 200, body: { id: 'cus_fast' } }
  expect(await claimKey(world.db, { ...use, requestId: 'req_slow' })).toBeUndefined()
  expect(await claimKey(world.db, { ...use, requestId: 'req_fast', now: later })).toBeUndefined()

  await releaseKey(world.db, { key: 'slow', requestId: 'req_slow' })
  await expect(saveReply(world.db, { key: 'slow', requestId: 'req_slow' }, reply)).rejects.toMatchObject({
    status: 409,
  })
  await expect(claimKey(world.db, { ...use, requestId: 'req_third', now: later })).rejects.toMatchObject({
    status: 409,
  })

  await saveReply(world.db, { key: 'slow', requestId: 'req_fast' }, reply)
  await releaseKey(world.db, { key: 'slow', requestId: 'req_fast' })
  expect(await claimKey(world.db, { ...use, requestId: 'req_third', now: later })).toEqual({
    ...reply,
    requestId: 'req_fast',
  })
})
