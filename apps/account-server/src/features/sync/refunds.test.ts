import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { and, asc, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { newProduct } from '../../test/factories.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { activity } from '../activity/activity.tables.ts'
import { syncCatalog } from '../catalog/catalog.sync.ts'
import { events } from '../events/events.tables.ts'
import { syncInvoice, syncInvoices } from '../orders/orders.sync.ts'
import { syncRefunds } from '../orders/refunds.sync.ts'
import { syncCustomers } from '../payments/customers/customers.sync.ts'
import { knownSubscriptions } from '../subscriptions/known-subscriptions.queries.ts'
import { syncCardRefund } from '../subscriptions/renewal/renewal.sync.ts'

const sandbox = await sandboxOfFile()

/** A customer who paid 30 dollars at the provider; nothing of it is here yet. */
async function payingWorld() {
  const hears = { EVENT_URLS: 'http://localhost:1/events', EVENT_SECRET: `whsec_${'a'.repeat(32)}` }
  const world = await newWorld({ settings: { ...sandbox.settings, ...hears }, now: new Date().toISOString() })
  const { db, cards, clock } = world.deps
  const say = () => undefined
  const owner = await world.member()
  const { code } = await newProduct(world, { prices: [{ term: 'monthly', amount: 1000, currency: 'USD' }] })
  await syncCatalog({ db, cards, say })
  const { stripe } = sandbox
  const [price] = (await stripe.prices.list({ lookup_keys: [`${code.toLowerCase()}-monthly-usd`] })).data
  const { id: customer } = await stripe.customers.create({ email: owner.email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer })
  const items = [{ price: price?.id ?? '', quantity: 3 }]
  const bought = await stripe.subscriptions.create({ customer, items, default_payment_method: method })
  await syncCustomers({ db, cards, config: world.deps.config, now: clock(), say })
  const invoice = String(bought.latest_invoice)
  const [payment] = (await stripe.invoicePayments.list({ invoice })).data
  const payment_intent = String(payment?.payment.payment_intent)
  const target = async () => (await world.as(owner).send(listOnlineOrders, { query: {} })).body.list[0]
  return {
    ...world,
    ...{ owner, invoice, say },
    /** @returns the refund's id */
    refund: async (amount?: number) =>
      (await stripe.refunds.create({ payment_intent, ...(amount !== undefined && { amount }) })).id,
    order: target,
    history: async () =>
      (
        await db
          .select({ details: activity.details, kind: activity.actorKind })
          .from(activity)
          .where(and(eq(activity.memberId, owner.id), eq(activity.action, 'order.refunded')))
          .orderBy(asc(activity.id))
      ).map(({ details, kind }) => ({ details, kind })),
    published: async () => {
      const number = (await target())?.orderNumber
      const all = await db.select({ data: events.data }).from(events).where(eq(events.type, 'order.refunded'))
      return all.map(({ data }) => data).filter(({ orderNumber }) => orderNumber === number)
    },
  }
}

test('a part and then the rest: the order says how much and when, once for each', async () => {
  await using world = await payingWorld()
  await syncInvoice(world.deps, world.invoice, knownSubscriptions)
  expect(await world.order()).toMatchObject({ orderAmount: 3000, orderRefundedAmount: 0, orderRefundDate: '' })

  const part = await world.refund(1200)
  for (let time = 0; time < 3; time += 1) await syncCardRefund(world.deps, part)
  const partly = await world.order()
  expect(partly).toMatchObject({ orderAmount: 3000, orderRefundedAmount: 1200, orderStatus: 'CO' })
  expect(Math.abs(Date.parse(partly?.orderRefundDate ?? '') - Date.now())).toBeLessThan(60_000)

  await syncCardRefund(world.deps, await world.refund())
  expect(await world.order()).toMatchObject({ orderRefundedAmount: 3000, orderStatus: 'CO', invoiceKind: 'invoice' })
  expect(await world.history()).toMatchObject([
    { kind: 'provider', details: { before: { refundedAmount: 0 }, after: { refundedAmount: 1200, currency: 'USD' } } },
    { details: { before: { refundedAmount: 1200 }, after: { refundedAmount: 3000 } } },
  ])
  expect(await world.published()).toMatchObject([
    { amount: 3000, refundedAmount: 1200, currency: 'USD', providerId: world.invoice },
    { refundedAmount: 3000 },
  ])
})

test('a refund that is heard of before its order brings the order with it', async () => {
  await using world = await payingWorld()
  await syncCardRefund(world.deps, await world.refund(500))
  expect(await world.order()).toMatchObject({ orderAmount: 3000, orderRefundedAmount: 500, orderStatus: 'CO' })
})

test('two refunds at once, in jobs that run at the same time, add up', async () => {
  await using world = await payingWorld()
  await syncInvoice(world.deps, world.invoice, knownSubscriptions)
  const refunds = [await world.refund(500), await world.refund(700)]
  await Promise.all([...refunds, ...refunds].map((id) => syncCardRefund(world.deps, id)))

  expect(await world.order()).toMatchObject({ orderRefundedAmount: 1200 })
  const last = (await world.history()).at(-1)
  expect(last).toMatchObject({ details: { after: { refundedAmount: 1200 } } })
})

test('what was read before a refund failed does not bring it back', async () => {
  await using world = await payingWorld()
  await syncInvoice(world.deps, world.invoice, knownSubscriptions)
  const id = await world.refund(500)
  const { cards } = world.deps
  const read = cards.refundsOfInvoice
  const [isRead, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  cards.refundsOfInvoice = async (invoice) => {
    const refunds = await read(invoice)
    isRead.resolve()
    await mayGoOn.promise
    return refunds
  }
  const slow = syncCardRefund(world.deps, id)
  await isRead.promise
  cards.refundsOfInvoice = async () => ({ amount: 0, lastAt: null })
  await syncCardRefund(world.deps, id)
  mayGoOn.resolve()
  await slow
  expect(await world.order()).toMatchObject({ orderRefundedAmount: 0, orderRefundDate: '' })
})

test('a refund that failed is not shown any more', async () => {
  await using world = await payingWorld()
  await syncInvoice(world.deps, world.invoice, knownSubscriptions)
  const id = await world.refund(500)
  await syncCardRefund(world.deps, id)
  world.deps.cards.refundsOfInvoice = async () => ({ amount: 0, lastAt: null })
  await syncCardRefund(world.deps, id)

  expect(await world.order()).toMatchObject({ orderRefundedAmount: 0, orderRefundDate: '' })
  expect(await world.published()).toMatchObject([{ refundedAmount: 500 }, { refundedAmount: 0, refundedAt: null }])
})

test('a take-over has what was given back before, and publishes nothing', async () => {
  await using world = await payingWorld()
  await world.refund(2000)
  const { jobs: _, config: __, ...deps } = world.deps
  for (let time = 0; time < 2; time += 1) {
    await syncInvoices({ ...world.deps, say: world.say }, knownSubscriptions)
    expect(await syncRefunds(deps)).toBeGreaterThan(0)
  }
  expect(await world.order()).toMatchObject({ orderRefundedAmount: 2000, orderStatus: 'CO' })
  expect(await world.history()).toHaveLength(1)
  expect(await world.published()).toEqual([])
})

test('a refund that the provider does not know is nothing to do', async () => {
  await using world = await payingWorld()
  await syncCardRefund(world.deps, 're_NobodysAtAll00')
  expect(await world.order()).toBeUndefined()
})
