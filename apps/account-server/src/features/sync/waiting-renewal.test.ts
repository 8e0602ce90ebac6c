import * as renewal from '@atrium/contract/auto-renewal.ts'
import { checkTransfer } from '@atrium/contract/transfers.ts'
import { expect, test } from 'vitest'
import { priceOf, termsVendor } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { takeOverPaypalSubscription } from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched } from './unmatched.ts'

const sandbox = await sandboxOfFile()

/** A paid month, and then one at a price of the buyer's own, which waits. */
async function waiting() {
  const world = await termsVendor(sandbox)
  const id = await world.buy()
  await world.sync(id)
  await world.revise(id, { plan_id: await world.planOf(world.productCode, 'monthly'), plan: priceOf('0.01') })
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending', autoRenewal: 1 }])
  const client = async () => world.as({ cookie: await world.session(world.buyer.id) })
  return { world, id, client }
}

test('while a later payment waits, its Owner turns auto-renewal off, and PayPal bills nothing more', async () => {
  const { world, id, client } = await waiting()
  await using _world = world
  const asked = await (await client()).send(renewal.checkCancelSr, { body: { sid: id } })
  expect([asked.status, asked.body.charges]).toEqual([200, 'unconfirmed'])
  expect(Date.parse(asked.body.endsAt)).toBe(world.deps.clock().getTime())

  const off = await (await client()).send(renewal.subscriptionCancel, { body: { sid: id, reasons: [1] } })
  expect([off.status, off.body.autoRenewal]).toEqual([200, 0])
  // Nothing says that it can be used until a day that is past, nor that it can be turned on again.
  expect(off.body).toMatchObject({ stripeSubscriptionStatus: 'canceled', isExpiring: 0, hideResume: 1 })
  expect((await world.call('GET', `/v1/billing/subscriptions/${id}`)).status).toBe('CANCELLED')
  const sales = await world.sales(id)
  await world.daysLater(40, id)
  expect(await world.sales(id)).toEqual(sales)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'price_overridden', acceptedAt: null }])
})

test('the payment that waited is given what it paid for once it is accepted, although auto-renewal was turned off', async () => {
  const { world, id, client } = await waiting()
  await using _world = world
  await (await client()).send(renewal.subscriptionCancel, { body: { sid: id, reasons: [1] } })
  const [{ id: unmatched = '' } = {}] = await world.waiting(id)
  await acceptUnmatched(world.db, { id: unmatched, provider: 'paypal', now: world.deps.clock() })
  await takeOverPaypalSubscription({ ...world.deps, say: () => undefined }, id)

  const [row] = await world.listed()
  expect(row).toMatchObject({ stripeSubscriptionStatus: 'active', autoRenewal: 0 })
  const end = Date.parse(row?.nextPlanPeriodStart ?? '')
  expect(end).toBeGreaterThan(world.deps.clock().getTime())
  await world.daysLater(40, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'canceled' }])
})

test('what begins later is in the way of a transfer as what it is, not as a payment that is due', async () => {
  await using world = await termsVendor(sandbox)
  const id = await world.buy({ more: { start_time: world.inDays(20) } })
  await world.sync(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  const client = world.as({ cookie: await world.session(world.buyer.id) })
  expect((await client.send(checkTransfer, { query: {} })).body).toMatchObject({ obstacle: 'pending' })
})

test('what was not billed when its paid time ended is in the way of a transfer as what it is, not as a renewal', async () => {
  await using world = await termsVendor(sandbox)
  const id = await world.buy()
  await world.sync(id)
  // Nothing was read since.
  world.at(world.inDays(40))
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  const client = world.as({ cookie: await world.session(world.buyer.id) })
  expect((await client.send(checkTransfer, { query: {} })).body).toMatchObject({ obstacle: 'pending' })
})
