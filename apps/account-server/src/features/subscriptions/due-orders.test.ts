import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { cardVendor } from '../../test/card-billing.ts'
import { paypalVendor } from '../../test/paypal.ts'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { syncInvoices } from '../orders/orders.sync.ts'
import { orders } from '../orders/orders.tables.ts'
import { markDueOrders } from './due-orders.writes.ts'
import { knownSubscriptions } from './known-subscriptions.queries.ts'
import { syncSale } from './paypal-subscriptions.sync.ts'
import { subscriptions } from './subscriptions.tables.ts'

const sandbox = await sandboxOfFile()

type World = Pick<Awaited<ReturnType<typeof cardVendor>>, 'as' | 'buyer'>

async function orderOf(world: World) {
  const { list } = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body
  return list.map(({ orderStatus, isPaymentDue }) => [orderStatus, isPaymentDue])
}

/** A trial has ended, and its first charge was declined. */
async function overdueWorld() {
  const world = await cardVendor(sandbox)
  const id = await world.buy({ trial_period_days: 7 })
  await world.payWith('pm_card_chargeCustomerFail')
  await sandbox.stripe.subscriptions.update(id, { trial_end: 'now' })
  await world.sync(id)
  const invoiceId = String((await sandbox.stripe.subscriptions.retrieve(id)).latest_invoice)
  await world.syncInvoice(invoiceId)
  return { ...world, id, invoiceId }
}

test.each([
  ['the subscription is canceled', ({ id }: { id: string }) => sandbox.stripe.subscriptions.cancel(id)],
  [
    'the invoice is written off',
    ({ invoiceId }: { invoiceId: string }) => sandbox.stripe.invoices.markUncollectible(invoiceId),
  ],
])('an unpaid order is due until %s', async (_, happens) => {
  await using world = await overdueWorld()
  expect(await orderOf(world)).toEqual([['PD', 1]])
  await happens(world)
  await world.sync(world.id)
  await world.syncInvoice(world.invoiceId)
  expect(await orderOf(world)).toEqual([['PD', 0]])
})

test('what was taken over unpaid is due', async () => {
  await using world = await overdueWorld()
  const { db, cards, clock, logger } = world.deps
  await db.delete(orders)
  await syncInvoices(
    {
      config: world.deps.config,
      db,
      cards,
      clock,
      logger,
      say: () => undefined,
      jobs: { send: async () => undefined, sendLater: async () => undefined },
    },
    knownSubscriptions,
  )
  await markDueOrders(db)
  expect(await orderOf(world)).toEqual([['PD', 1]])
  const [order] = await db.select().from(orders).where(eq(orders.memberId, world.buyer.id))
  expect(order?.lastDecline).toMatchObject({ card: { brand: 'visa', last4: '0341' } })
})

test('a payment that PayPal holds back is pending, and not due', async () => {
  await using world = await paypalVendor(sandbox)
  const id = await world.buy()
  const [sale = ''] = await world.sales(id)
  const { readSale } = world.deps.paypal
  world.deps.paypal.readSale = async (one) => ({ ...(await readSale(one)), isPending: true })
  await syncSale(world.deps, sale)
  await world.sync(id)
  expect(await orderOf(world)).toEqual([['PD', 0]])
})

test('an invoice beside the periods can be paid where it is shown, until it is paid', async () => {
  await using world = await cardVendor(sandbox)
  const { stripe } = sandbox
  const subscription = await world.buy()
  const beside = { customer: world.customerId, subscription }
  await stripe.invoiceItems.create({ ...beside, description: 'Data migration', amount: 4900, currency: 'usd' })
  const { id } = await stripe.invoices.create({ ...beside, auto_advance: true })
  const open = await stripe.invoices.finalizeInvoice(id)
  await world.syncInvoice(id)
  expect(await payable(world)).toEqual([['OP', open.hosted_invoice_url]])
  // It is nobody else's to pay.
  expect(await payable({ ...world, buyer: await world.member() })).toEqual([])

  await stripe.invoices.pay(id, { payment_method: world.cardId })
  await world.syncInvoice(id)
  expect(await payable(world)).toEqual([['CO', '']])
})

test('an unpaid order says that its subscription has ended, unless a partner was to be paid', async () => {
  await using world = await overdueWorld()
  const hasEnded = async () => {
    const { list } = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body
    return list.map(({ isSubscriptionEnded }) => isSubscriptionEnded)
  }
  expect(await hasEnded()).toEqual([0])
  await sandbox.stripe.subscriptions.cancel(world.id)
  await world.sync(world.id)
  expect(await hasEnded()).toEqual([1])
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, world.id))
  await markDueOrders(world.db)
  expect(await hasEnded()).toEqual([0])
})

test('what was bought through a partner, and what has ended, is not paid in My Orders', async () => {
  await using world = await overdueWorld()
  const { hosted_invoice_url: url } = await sandbox.stripe.invoices.retrieve(world.invoiceId)
  expect(await payable(world)).toEqual([['PD', url]])
  await world.db.update(subscriptions).set({ isPriceHidden: true }).where(eq(subscriptions.id, world.id))
  await world.sync(world.id)
  expect(await payable(world)).toEqual([['PD', '']])
  await world.db.update(subscriptions).set({ isPriceHidden: false }).where(eq(subscriptions.id, world.id))
  await world.syncInvoice(world.invoiceId)
  expect(await payable(world)).toEqual([['PD', url]])
  await sandbox.stripe.subscriptions.cancel(world.id)
  await world.sync(world.id)
  expect(await payable(world)).toEqual([['PD', '']])
})

/** A change, begun at the provider, whose payment the bank asks about. @returns the id of its open invoice */
async function waitingChange(world: Awaited<ReturnType<typeof cardVendor>>) {
  const id = await world.buy()
  await world.payWith('pm_card_authenticationRequired')
  const { stripe } = sandbox
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data
  await stripe.subscriptions.update(id, {
    ...{ items: [{ id: item?.id ?? '', quantity: 5 }], proration_behavior: 'always_invoice' },
    payment_behavior: 'pending_if_incomplete',
  })
  await world.sync(id)
  const [open] = (await stripe.invoices.list({ subscription: id, status: 'open' })).data
  const invoiceId = open?.id ?? ''
  await world.syncInvoice(invoiceId)
  return invoiceId
}

test('the order of a change that waits for the bank’s question has not failed', async () => {
  await using world = await cardVendor(sandbox)
  const invoiceId = await waitingChange(world)
  const waiting = { orderStatus: 'PD', isPaymentDue: 0, isChangeWaiting: 1 }
  expect((await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body.list).toMatchObject([waiting])

  await sandbox.stripe.invoices.pay(invoiceId, { payment_method: world.cardId })
  await world.syncInvoice(invoiceId)
  const paid = { orderStatus: 'CO', isPaymentDue: 0, isChangeWaiting: 0 }
  expect((await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body.list).toMatchObject([paid])
})

test('the order of a change that ran out says that the change was not made', async () => {
  await using world = await cardVendor(sandbox)
  const invoiceId = await waitingChange(world)
  await sandbox.stripe.invoices.voidInvoice(invoiceId)
  await world.syncInvoice(invoiceId)
  const { list } = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body
  expect(list).toMatchObject([{ orderStatus: 'CL', isChangeWaiting: 0, isChangeNotMade: 1 }])
})

async function payable(world: World) {
  const { list } = (await world.as(world.buyer).send(listOnlineOrders, { query: {} })).body
  return list.map(({ orderStatus, payUrl }) => [orderStatus, payUrl])
}
