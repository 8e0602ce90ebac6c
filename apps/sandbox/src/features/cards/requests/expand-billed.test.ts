import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

async function newSubscription() {
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id: coupon } = await world.stripe.coupons.create({ percent_off: 10, duration: 'forever' })
  return world.stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ coupon }] })
}

test('the payment intent of the latest invoice is reached through its payments', async () => {
  const { id } = await newSubscription()
  const { latest_invoice } = await world.stripe.subscriptions.retrieve(id, {
    expand: ['latest_invoice.payments.data.payment.payment_intent'],
  })
  const { payments } = latestInvoice({ latest_invoice })
  expect(payments?.data[0]?.payment.payment_intent).toMatchObject({ object: 'payment_intent', amount: 900 })
})

test('discounts are ids until they are expanded, with their coupon', async () => {
  const { id, discounts } = await newSubscription()
  expect(discounts).toEqual([expect.stringMatching(/^di_/)])
  const { data } = await world.stripe.subscriptions.list({
    limit: 1,
    expand: ['data.discounts.source.coupon', 'data.items.data.price.product'],
  })

  expect(data[0]).toMatchObject({
    id,
    discounts: [{ object: 'discount', source: { type: 'coupon', coupon: { percent_off: 10 } } }],
    items: { data: [{ price: { product: { name: 'Editor' } } }] },
  })
})

test('an invoice shows its payments and its secret only if they are expanded', async () => {
  const { latest_invoice } = await newSubscription()
  const plain = await world.stripe.invoices.retrieve(String(latest_invoice))
  expect(plain).not.toHaveProperty('payments')
  expect(plain).not.toHaveProperty('confirmation_secret')
  const full = await world.stripe.invoices.retrieve(String(latest_invoice), {
    expand: [
      'payments',
      'confirmation_secret',
      'lines.data.discount_amounts.discount',
      'parent.subscription_details.subscription',
    ],
  })

  expect(full.confirmation_secret).toMatchObject({ type: 'payment_intent' })
  expect(full.lines.data[0]?.discount_amounts).toMatchObject([{ amount: 100, discount: { object: 'discount' } }])
  expect(full.parent?.subscription_details?.subscription).toMatchObject({ object: 'subscription' })
  expect((await world.refused(world.stripe.invoices.retrieve(plain.id, { expand: ['total'] }))).message).toContain(
    'total',
  )
})

test('the products of a coupon are shown only if they are expanded', async () => {
  const { id: product } = await world.stripe.products.create({ name: 'Editor' })
  const { id } = await world.stripe.coupons.create({
    percent_off: 5,
    duration: 'once',
    applies_to: { products: [product] },
  })

  expect(await world.stripe.coupons.retrieve(id)).not.toHaveProperty('applies_to')
  expect((await world.stripe.coupons.retrieve(id, { expand: ['applies_to'] })).applies_to).toEqual({
    products: [product],
  })
})

test('a coupon for one product leaves the others alone', async () => {
  const { id: customer } = await billing.customer()
  const [editor, other] = await Promise.all([
    world.stripe.products.create({ name: 'Editor' }),
    world.stripe.products.create({ name: 'Other' }),
  ])
  const price = (product: string) =>
    world.stripe.prices.create({ product, currency: 'usd', unit_amount: 1000, recurring: { interval: 'month' } })
  const [one, two] = [await price(editor.id), await price(other.id)]
  const { id: coupon } = await world.stripe.coupons.create({
    percent_off: 50,
    duration: 'once',
    applies_to: { products: [editor.id] },
  })
  const made = await world.stripe.subscriptions.create({
    customer,
    items: [{ price: one.id }, { price: two.id }],
    discounts: [{ coupon }],
    expand: ['latest_invoice'],
  })
  expect(latestInvoice(made).total).toBe(1500)
})
