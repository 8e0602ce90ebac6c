import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { linkCustomerCommand } from '../../commands/link-customer.ts'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { orders } from '../orders/orders.tables.ts'
import { paidOrdersQueue } from '../orders/receipts.writes.ts'
import { acceptedTerms } from '../payments/unmatched/unmatched.tables.ts'
import { paypalPayments } from '../subscriptions/paypal-payments.tables.ts'
import {
  syncPaypalRefund,
  syncSale,
  syncSales,
  takeOverPaypalSubscription,
} from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined

/** Two seats for $3 each, which wait; revised to the catalog's price, and billed again: that is granted. */
async function grantedSince({ isTyped = false } = {}) {
  const world = await termsVendor(sandbox)
  const client = async () => world.as({ cookie: await world.session(world.buyer.id) })
  const hear = async (id: string) => {
    for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
    await world.sync(id)
  }
  const whose = isTyped ? { customId: world.buyer.email } : {}
  const id = await world.buy({ ...whose, more: { quantity: '2', plan: priceOf('3') } })
  await hear(id)
  await world.revise(id, { quantity: '2', plan: priceOf('10') })
  await hear(id)
  await world.advanceTo(world.inDays(33))
  await hear(id)
  const [first = '', second = ''] = await world.sales(id)
  return {
    ...world,
    ...{ id, first, second, hear: () => hear(id) },
    line: async () => (await unmatchedLines(world.db, 'paypal')).find((one) => one.includes(id)),
    checked: async () => (await (await client()).send(listPaymentsBeingChecked, {})).body.list,
    ordered: async () => (await (await client()).send(listOnlineOrders, { query: {} })).body.list,
    orderOf: (sale: string) => world.db.select().from(orders).where(eq(orders.providerId, sale)),
    receipts: () => world.sent.splice(0).filter(({ queue }) => queue === paidOrdersQueue).length,
    /** `npm run sync -- unmatched --accept ID`. */
    async accept() {
      const [{ id: row = '' } = {}] = await world.waiting(id)
      const accepted = await acceptUnmatched(world.db, { id: row, provider: 'paypal', now: world.deps.clock() })
      await takeOverPaypalSubscription({ ...world.deps, say }, id)
      return accepted.kind
    },
  }
}

test('what waits goes on waiting when a later payment is granted, and is no order, however often it is read', async () => {
  await using world = await grantedSince()
  for (let reading = 0; reading < 3; reading += 1) {
    expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', userCount: 2 }])
    expect((await world.ordered()).map(({ orderAmount }) => orderAmount)).toEqual([2000])
    expect(await world.orderOf(world.first)).toEqual([])
    expect(await world.checked()).toMatchObject([{ amount: 600, currency: 'USD' }])
    expect(await world.line()).toContain('600 USD in minor units')
    expect(await world.line()).toContain('makes an order of it and grants nothing')
    await world.hear()
    await syncSales({ ...world.deps, say })
  }
  expect(world.receipts()).toBe(1)
})

test('accepted, it is an order under the name of the product, with its receipt, and grants nothing', async () => {
  await using world = await grantedSince()
  const before = await world.listed()
  world.receipts()
  expect(await world.accept()).toBe('accepted')
  for (let reading = 0; reading < 2; reading += 1) {
    expect(await world.listed()).toEqual(before)
    expect([await world.line(), await world.checked()]).toEqual([undefined, []])
    expect(await world.orderOf(world.first)).toMatchObject([{ status: 'CO', amount: 600 }])
    const [order] = (await world.ordered()).filter(({ orderAmount }) => orderAmount === 600)
    expect(order).toMatchObject({ orderProduct: [{ name: expect.stringContaining('Folio PDF Editor+') }] })
    await world.hear()
  }
  expect(world.receipts()).toBe(1)
  const terms = await world.db.select().from(acceptedTerms).where(eq(acceptedTerms.objectId, world.id))
  expect(terms).toEqual([])
})

test('the price that was not granted is not accepted with it: revised to it again, the next payment waits', async () => {
  await using world = await grantedSince()
  await world.accept()
  await world.revise(world.id, { quantity: '2', plan: priceOf('3') })
  await world.advanceTo(world.inDays(33))
  await world.hear()
  expect(await world.waiting(world.id)).toMatchObject([{ reason: 'price_overridden', amount: 600, acceptedAt: null }])
  expect(await world.checked()).toHaveLength(1)
  expect((await world.ordered()).map(({ orderAmount }) => orderAmount).toSorted()).toEqual([2000, 600])
})

test('given back, it waits no more, and is no order either', async () => {
  await using world = await grantedSince()
  const refund = await world.refund(world.first)
  for (let reading = 0; reading < 2; reading += 1) {
    await syncPaypalRefund(world.deps, refund)
    await world.hear()
    await syncSales({ ...world.deps, say })
    expect([await world.line(), await world.checked()]).toEqual([undefined, []])
    expect(await world.orderOf(world.first)).toEqual([])
    expect((await world.ordered()).map(({ orderAmount }) => orderAmount)).toEqual([2000])
  }
})

test('beside another payment that is not granted, both wait, and are accepted together', async () => {
  await using world = await grantedSince()
  await world.revise(world.id, { quantity: '2', plan: priceOf('4') })
  await world.advanceTo(world.inDays(33))
  await world.hear()
  expect((await world.checked()).map(({ amount }) => amount)).toEqual([600, 800])
  expect(await world.line()).toContain('2 payments, 1400 USD in minor units')
  await world.accept()
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  expect((await world.ordered()).map(({ orderAmount }) => orderAmount).toSorted()).toEqual([2000, 600, 800])
  expect(await world.line()).toBeUndefined()
})

test('it goes on waiting when the operator says whose its subscription is', async () => {
  await using world = await grantedSince({ isTyped: true })
  expect(await world.waiting(world.id)).toMatchObject([{ isProven: false, amount: 600 }])
  const run = linkCustomerCommand((_db, run) => run(world.deps.jobs)).prepare([world.buyer.email, world.id])
  const settings = { ...world.config, PAST_DUE_DAYS: 21, now: world.deps.clock() }
  expect(await run?.(world.db, () => undefined, settings)).toBe(0)
  await world.hear()
  expect(await world.waiting(world.id)).toMatchObject([{ memberId: world.buyer.id, isProven: true, amount: 600 }])
  expect(await world.orderOf(world.first)).toEqual([])
})

test('what was paid before the vendor has raised the price of a plan goes on waiting beside the next month', async () => {
  await using world = await termsVendor(sandbox)
  const planId = await world.ownPlan()
  const id = await world.buy({ planId, more: { quantity: '1' } })
  const scheme = { billing_cycle_sequence: 1, pricing_scheme: { fixed_price: usd('12') } }
  await world.call('POST', `/v1/billing/plans/${planId}/update-pricing-schemes`, { pricing_schemes: [scheme] })
  await world.sync(id)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little', amount: 1000 }])
  await world.advanceTo(world.inDays(33))
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active' }])
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little', amount: 1000 }])
  // An earlier version of this program has listed it, and stored nothing of its payments.
  await world.db.delete(paypalPayments)
  for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
  expect(await world.waiting(id)).toMatchObject([{ reason: 'paid_too_little', amount: 1000 }])
  const ordered = await world.db.select().from(orders).where(eq(orders.providerSubscriptionId, id))
  expect(ordered.map(({ amount }) => amount)).toEqual([1200])
})
