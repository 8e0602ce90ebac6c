import { listOnlineOrders } from '@atrium/contract/orders.ts'
import { expect, test } from 'vitest'
import { sandboxOfFile } from '../../test/sandbox-of-file.ts'
import { newWorld } from '../../test/world.ts'
import { findPurchases } from '../subscriptions/purchases.sync.ts'
import { syncCardRefund } from '../subscriptions/renewal/renewal.sync.ts'
import { syncInvoiceOfSubscription } from '../subscriptions/subscriptions.sync.ts'

const sandbox = await sandboxOfFile()

test('bought and given back in the shop, webhooks in time, and only then the customer’s account here', async () => {
  await using world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  const { stripe } = sandbox
  const email = `shop-${Date.now()}@example.test`
  const customer = await stripe.customers.create({ email })
  const { id: method } = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
  const product = await stripe.products.create({ name: 'Editor' })
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 5000,
    recurring: { interval: 'month' },
  })
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: method,
  })
  const invoice = String(subscription.latest_invoice)
  const { data } = await stripe.invoicePayments.list({ invoice })
  const refund = await stripe.refunds.create({ payment_intent: String(data[0]?.payment.payment_intent) })
  await syncInvoiceOfSubscription(world.deps, invoice)
  await syncCardRefund(world.deps, refund.id)

  const member = await world.member({ email })
  await findPurchases(world.deps, member.id)
  const { list } = (await world.as(member).send(listOnlineOrders, { query: {} })).body
  expect(list).toMatchObject([{ orderStatus: 'CO', orderAmount: 5000, orderRefundedAmount: 5000 }])
})
