import { randomUUID } from 'node:crypto'
import { listOnlineOrders, listPaymentsBeingChecked } from '@atrium/contract/orders.ts'
import { listSubscriptions } from '@atrium/contract/subscriptions.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { priceOf, termsVendor, usd } from '../../test/paypal-terms.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { mailQueue } from '../mail/mail.writes.ts'
import { orders } from '../orders/orders.tables.ts'
import { paidOrdersQueue } from '../orders/receipts.writes.ts'
import { unmatchedPurchases } from '../payments/unmatched/unmatched.tables.ts'
import {
  syncPaypalRefund,
  syncSale,
  syncSales,
  takeOverPaypalSubscription,
} from '../subscriptions/paypal-subscriptions.sync.ts'
import { acceptUnmatched, unmatchedLines } from './unmatched.ts'

const sandbox = await sandboxOfFile()

const say = () => undefined
const cent = priceOf('0.01')

/** What the buyer sees at a vendor of PayPal. */
async function vendor() {
  const world = await termsVendor(sandbox)
  const client = async () => world.as({ cookie: await world.session(world.buyer.id) })
  const rowOf = async (id: string) =>
    (await world.db.select().from(unmatchedPurchases).where(eq(unmatchedPurchases.objectId, id)))[0]
  return {
    ...world,
    rowOf,
    ordered: async () => (await (await client()).send(listOnlineOrders, { query: {} })).body.list,
    checked: async () => (await (await client()).send(listPaymentsBeingChecked, {})).body.list,
    listed: async () => (await (await client()).send(listSubscriptions, { query: {} })).body.list,
    /** As PayPal's events tell it: each payment, and the subscription. */
    async hear(id: string) {
      for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
      await world.sync(id)
    },
    /** `npm run sync -- unmatched --accept ID`. */
    async accept(id: string) {
      const { id: row = '' } = (await rowOf(id)) ?? {}
      await acceptUnmatched(world.db, { id: row, provider: 'paypal', now: world.deps.clock() })
      await takeOverPaypalSubscription({ ...world.deps, say }, id)
    },
    async cancel(id: string) {
      await world.call('POST', `/v1/billing/subscriptions/${id}/cancel`, { reason: 'Test' })
      await world.sync(id)
    },
    async daysLater(many: number, id: string) {
      await world.advanceTo(world.inDays(many))
      for (const sale of await world.sales(id)) await syncSale(world.deps, sale)
      await world.sync(id)
    },
  }
}
type Vendor = Awaited<ReturnType<typeof vendor>>

/** A receipt, an invoice or an email of the buyer's. */
function sent({ sent: all, buyer }: Vendor) {
  const Email = z.object({ to: z.string() })
  const jobs = all.splice(0).filter(({ queue, data }) => queue !== mailQueue || Email.parse(data).to === buyer.email)
  return jobs.map(({ queue }) => queue).filter((queue) => queue === paidOrdersQueue || queue === mailQueue)
}

test('a payment that is not granted is one line that is being checked; accepted, it is the order, with its receipt', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: cent } })
  const [sale = ''] = await world.sales(id)
  await world.hear(id)
  await world.hear(id)
  expect([await world.ordered(), sent(world)]).toEqual([[], []])
  const checked = await world.checked()
  expect(checked).toMatchObject([{ provider: 'paypal', amount: 3, currency: 'USD' }])

  await world.accept(id)
  expect(await world.checked()).toEqual([])
  expect(await world.ordered()).toMatchObject([
    { orderStatus: 'CO', orderAmount: 3, orderProduct: [{ name: 'Folio PDF Editor+ × 3' }] },
  ])
  expect(sent(world)).toEqual([paidOrdersQueue])
  await world.accept(id)
  await world.hear(id)
  expect([(await world.ordered()).length, sent(world)]).toEqual([1, []])
  const [order] = await world.db.select().from(orders).where(eq(orders.providerId, sale))
  expect(order).toMatchObject({ origin: 'charged', memberId: world.buyer.id })
})

test('a later payment that is not granted says when it was paid, and the orders of before stay', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.hear(id)
  const before = await world.ordered()
  expect([await world.checked(), before.length > 0]).toEqual([[], true])
  await world.revise(id, { plan_id: await world.planOf(world.productCode, 'monthly'), plan: cent })

  await world.daysLater(36, id)
  const paidAt = (await world.deps.paypal.readSubscription(id)).payments.at(-1)?.at.getTime() ?? 0
  expect(await world.ordered()).toEqual(before)
  expect(await world.checked()).toMatchObject([{ amount: 3, paidAt: Math.floor(paidAt / 1000) }])
  await world.accept(id)
  expect((await world.ordered()).length).toBe(before.length + 1)
})

test('what waits and is given back is nothing in the account, and a line of the operator’s until it is canceled at PayPal', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: cent } })
  await world.hear(id)
  expect(await world.checked()).toHaveLength(1)
  const [sale = ''] = await world.sales(id)
  await syncPaypalRefund(world.deps, await world.refund(sale))
  await world.hear(id)
  expect([await world.checked(), await world.ordered(), await world.listed()]).toEqual([[], [], []])
  expect(await world.rowOf(id)).toMatchObject({ reason: 'price_overridden', amount: 0, memberId: world.buyer.id })
  const lines = await unmatchedLines(world.db, 'paypal')
  expect(lines.find((line) => line.includes(id))).toContain('all of it was given back, and it is billed again unless')

  await world.daysLater(36, id)
  expect(await world.checked()).toMatchObject([{ amount: 3 }])
  await syncPaypalRefund(world.deps, await world.refund((await world.sales(id)).at(-1) ?? ''))
  await world.cancel(id)
  expect(await world.rowOf(id)).toBeUndefined()
  expect([await world.checked(), await world.ordered(), await world.listed()]).toEqual([[], [], []])
})

test('what is given back while it waited beside what is granted is a line until it is canceled, too', async () => {
  await using world = await vendor()
  const id = await world.buy()
  await world.hear(id)
  await world.revise(id, { plan_id: await world.planOf(world.productCode, 'monthly'), plan: cent })
  await world.daysLater(36, id)
  const before = await world.ordered()
  await syncPaypalRefund(world.deps, await world.refund((await world.sales(id)).at(-1) ?? ''))
  expect(await world.rowOf(id)).toMatchObject({ reason: 'price_overridden', amount: 0 })
  await world.cancel(id)
  expect([await world.rowOf(id), await world.checked(), await world.ordered()]).toEqual([undefined, [], before])
})

test('what was accepted after it had been given back is granted for its whole price only', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: cent } })
  await world.hear(id)
  await syncPaypalRefund(world.deps, await world.refund((await world.sales(id))[0] ?? ''))
  await world.accept(id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'pending' }])
  await world.daysLater(36, id)
  expect(await world.listed()).toMatchObject([{ stripeSubscriptionStatus: 'active', price: 3 }])
})

test('what nobody here has bought goes on waiting after it was given back, until it is canceled at PayPal', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: `${randomUUID()}@example.test` })
  await world.hear(id)
  await syncPaypalRefund(world.deps, await world.refund((await world.sales(id))[0] ?? ''))
  expect(await world.rowOf(id)).toMatchObject({ reason: 'no_member' })
  await world.cancel(id)
  expect(await world.rowOf(id)).toBeUndefined()
})

test('taken over, a payment that waits is no order either; accepted, it keeps PayPal’s number', async () => {
  await using world = await vendor()
  const id = await world.buy({ more: { plan: cent } })
  const [sale = ''] = await world.sales(id)
  world.at(world.inDays(20))
  const { readSubscription } = world.deps.paypal
  world.deps.paypal.subscriptions = async () => ({ subscriptions: [await readSubscription(id)], hasMore: false })
  await takeOverPaypalSubscription({ ...world.deps, say }, id)
  expect(await syncSales({ ...world.deps, say })).toEqual({ synced: 0, unmatched: 1 })
  expect([await world.ordered(), (await world.checked()).length]).toEqual([[], 1])
  await world.accept(id)
  expect(await world.ordered()).toMatchObject([{ orderInvoiceNum: sale }])
  expect(sent(world)).toEqual([])
})

test('a setup fee waits with the first month that was not paid; accepted, or once that is paid, it is an order', async () => {
  await using world = await vendor()
  const terms = { quantity: '1', start_time: world.inDays(5) }
  const plan = { payment_preferences: { setup_fee: usd('5') }, billing_cycles: [{ sequence: 1 }] }
  const begin = async () => {
    const id = await world.buy({ more: { ...terms, plan } })
    await world.control('PUT', `funds/${id}/`, { hasFunds: false })
    return id
  }
  const [accepted, paid] = [await begin(), await begin()]
  await world.daysLater(6, accepted)
  await world.hear(paid)
  expect([await world.ordered(), (await world.checked()).map(({ amount }) => amount)]).toEqual([[], [500, 500]])

  await world.accept(accepted)
  expect(await world.ordered()).toMatchObject([
    { orderAmount: 500, orderProduct: [{ name: 'Setup fee: Folio PDF Editor+' }] },
  ])
  expect(await world.checked()).toHaveLength(1)
  await world.control('PUT', `funds/${paid}/`, { hasFunds: true })
  await world.daysLater(10, paid)
  expect(await world.checked()).toEqual([])
  const amounts = (await world.ordered()).map(({ orderAmount }) => orderAmount)
  expect(amounts.toSorted()).toEqual([1000, 500, 500])
})

test('what an address alone says is whose it may be is nothing in the account while it waits', async () => {
  await using world = await vendor()
  const id = await world.buy({ customId: world.buyer.email, more: { plan: cent } })
  await world.hear(id)
  expect([await world.checked(), await world.ordered(), await world.listed()]).toEqual([[], [], []])
  await world.accept(id)
  expect(await world.ordered()).toHaveLength(1)
})
