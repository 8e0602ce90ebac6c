import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { faults } from '../store/faults.ts'

const world = await ofFile(newCardsWorld())

test('a delay comes after the effect', async () => {
  await faults.plan(world.db, { kind: 'delay', pattern: '/customers', times: 1, milliseconds: 300 })
  const started = Date.now()
  const made = await world.stripe.customers.create({ name: 'Late' })

  expect(Date.now() - started).toBeGreaterThan(250)
  expect(made.name).toBe('Late')
})

test.each(['reset', 'html'] as const)('after «%s» the effect stands, and the same key returns it', async (kind) => {
  const email = `${kind}@folio.test`
  await faults.plan(world.db, { kind, pattern: '/customers', times: 1, milliseconds: 0 })
  const headers = { 'idempotency-key': `fault-${kind}` }

  const first = await world.raw('POST', '/v1/customers', `email=${email}`, headers).catch(() => undefined)
  const again = await world.raw('POST', '/v1/customers', `email=${email}`, headers)

  if (kind === 'reset') expect(first).toBeUndefined()
  if (kind === 'html') expect(first?.headers.get('content-type')).toContain('text/html')
  expect(again.status).toBe(200)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  expect((await world.stripe.customers.list({ email })).data).toHaveLength(1)
})

test('the SDK’s own retries survive a reset: one customer, not two', async () => {
  await faults.plan(world.db, { kind: 'reset', pattern: '/customers', times: 2, milliseconds: 0 })

  await world.retrying.customers.create({ email: 'retried@folio.test' })

  expect((await world.stripe.customers.list({ email: 'retried@folio.test' })).data).toHaveLength(1)
})

test('a rate limit refuses requests before they have an effect, and only on its path', async () => {
  await faults.plan(world.db, { kind: 'rate_limit', pattern: '/customers/*', times: 1, milliseconds: 0 })

  const { id } = await world.stripe.customers.create({ name: 'Untouched' })
  const error = await world.refused(world.stripe.customers.update(id, { name: 'Changed' }))

  expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError)
  expect((await world.stripe.customers.retrieve(id)).lastResponse.statusCode).toBe(200)
  expect((await world.stripe.customers.list({ limit: 1 })).data[0]?.name).toBe('Untouched')
})
