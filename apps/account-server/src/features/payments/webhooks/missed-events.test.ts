import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { newWorld } from '../../../test/world.ts'
import { storeMissedEvents } from './missed-events.ts'
import { providerEventReads } from './webhooks.tables.ts'

const hourMs = 3_600_000

const sandbox = await sandboxOfFile()

const types = { card: ['customer', 'price'], paypal: ['plan'] }

/** A server that no webhook reaches. */
async function deafWorld(settings: NodeJS.ProcessEnv = {}) {
  const world = await newWorld({ settings: { ...sandbox.settings, ...settings }, now: new Date().toISOString() })
  await world.db.delete(providerEventReads)
  return {
    ...world,
    read: () => storeMissedEvents(world.deps, types),
    told: () => world.sent.flatMap(({ data }) => ('objectId' in data ? [String(data.objectId)] : [])),
  }
}

test('what no webhook brought is found in the providers’ lists, once, and only what somebody syncs', async () => {
  await using world = await deafWorld()
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'ada@folio.test' })
  const product = await sandbox.paypal.call('POST', '/v1/catalogs/products', { name: 'Editor', type: 'DIGITAL' })
  const cycle = { frequency: { interval_unit: 'MONTH' }, tenure_type: 'REGULAR', sequence: 1, total_cycles: 0 }
  const price = { pricing_scheme: { fixed_price: { currency_code: 'USD', value: '10' } } }
  const plan = await sandbox.paypal.call('POST', '/v1/billing/plans', {
    ...{ product_id: product.id, name: 'Monthly', billing_cycles: [{ ...cycle, ...price }], payment_preferences: {} },
  })
  world.at(new Date(Date.now() + 1000))
  await world.read()
  expect(world.told()).toContain(customer)
  expect(world.told()).toContain(plan.id)
  expect(world.told()).not.toContain(product.id)

  const before = world.told().length
  await Promise.all([world.read(), world.read()])
  world.at(new Date(Date.now() + hourMs))
  await world.read()
  expect(world.told()).toHaveLength(before)
})

test('a provider that is away costs only that run: the next one goes on where the last one ended', async () => {
  await using world = await deafWorld({ PAYPAL: 'none' })
  const { id: customer } = await sandbox.stripe.customers.create({ email: 'grace@folio.test' })
  world.at(new Date(Date.now() + 1000))
  await sandbox.misbehave({ kind: 'error', pattern: '/events*', times: 10 })
  await expect(world.read()).rejects.toMatchObject({ name: 'ProviderFailure' })
  expect(await world.db.select().from(providerEventReads)).toEqual([])
  await sandbox.behave()
  await world.read()
  expect(world.told()).toContain(customer)

  const [{ readUntil } = { readUntil: new Date(0) }] = await world.db.select().from(providerEventReads)
  world.at(new Date(readUntil.getTime() + 400 * hourMs))
  await world.read()
  const [later] = await world.db.select().from(providerEventReads)
  // After a long outage a week is read in a run.
  expect(later?.readUntil.getTime()).toBe(readUntil.getTime() + 168 * hourMs)
})

test('without providers nothing is read', async () => {
  await using world = await deafWorld({ CARD_PROVIDER: 'none', PAYPAL: 'none', STRIPE_API_URL: 'http://localhost:1' })
  await world.read()
  expect(world.told()).toEqual([])
})
