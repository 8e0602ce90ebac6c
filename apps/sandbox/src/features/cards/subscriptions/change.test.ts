import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const amounts = ({ lines }: Stripe.Invoice) => lines.data.map(({ amount }) => amount)

test('an upgrade from 10.00 to 20.00 halfway costs 5.00, in the preview and in the invoice', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  const { id: price } = await billing.price(2000)
  const items = [{ id: old.item.id, price }]
  const preview = await invoices.createPreview({
    subscription: old.id,
    subscription_details: { items, proration_date: old.half, proration_behavior: 'always_invoice' },
  })
  expect(amounts(preview)).toEqual([-500, 1000])
  expect(preview).toMatchObject({
    amount_due: 500,
    status: 'draft',
    billing_reason: 'upcoming',
    parent: { subscription_details: { subscription_proration_date: old.half } },
  })

  const changed = await subscriptions.update(old.id, {
    items,
    proration_date: old.half,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  const invoice = latestInvoice(changed)
  expect(changed).toMatchObject({ status: 'active', pending_update: null, items: { data: [{ price: { id: price } }] } })
  expect(changed.items.data[0]).toMatchObject({ current_period_start: old.start, current_period_end: old.end })
  expect(invoice).toMatchObject({ status: 'paid', amount_due: 500, billing_reason: 'subscription_update' })
  expect(invoice.lines.data.map(({ description, amount, quantity }) => ({ description, amount, quantity }))).toEqual(
    preview.lines.data.map(({ description, amount, quantity }) => ({ description, amount, quantity })),
  )
})

test('a credit names the line that it takes back', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  const [first] = (await invoices.list({ subscription: old.id })).data
  const { id: price } = await billing.price(2000)
  await subscriptions.update(old.id, {
    items: [{ id: old.item.id, price }],
    proration_date: old.half,
    proration_behavior: 'always_invoice',
  })
  const [second] = (await invoices.list({ subscription: old.id, limit: 1 })).data
  const [credit, charge] = second?.lines.data ?? []

  expect(credit?.parent?.subscription_item_details).toMatchObject({
    proration: true,
    proration_details: { credited_items: { invoice: first?.id, invoice_line_items: [first?.lines.data[0]?.id] } },
  })
  expect(charge?.parent?.subscription_item_details).toMatchObject({
    proration: true,
    proration_details: { credited_items: null },
  })
  expect(credit?.period).toEqual({ start: old.half, end: old.end })
})

test('two seats at 100.00 a year with 73 of 365 days left cost 40.00', async () => {
  const year = await billing.subscription(10_000, { recurring: { interval: 'year' }, quantity: 3 })
  const days = (year.end - year.start) / 86_400
  const left = 73 * 86_400 + (days - 365) * Math.round((86_400 * 73) / 365)
  const preview = await world.stripe.invoices.createPreview({
    subscription: year.id,
    subscription_details: {
      items: [{ id: year.item.id, quantity: 5 }],
      proration_date: year.end - left,
      proration_behavior: 'always_invoice',
    },
  })
  expect(preview.amount_due).toBe(4000)
})

test('a third of 1000 yen is 333', async () => {
  const yen = await billing.subscription(1000, { currency: 'jpy' })
  const { id: more } = await billing.price(1000, { currency: 'jpy', nickname: 'more' })
  const preview = await world.stripe.invoices.createPreview({
    subscription: yen.id,
    subscription_details: {
      items: [{ price: more }],
      proration_date: yen.end - Math.round((yen.end - yen.start) / 3),
      proration_behavior: 'always_invoice',
    },
  })
  expect(preview).toMatchObject({ amount_due: 333, currency: 'jpy' })
})

test('without an invoice at once, prorations wait for the next one', async () => {
  const { subscriptions, invoices, invoiceItems } = world.stripe
  const old = await billing.subscription(1000)
  const { id: price } = await billing.price(2000)
  const changed = await subscriptions.update(old.id, { items: [{ id: old.item.id, price }], proration_date: old.half })
  expect(changed.latest_invoice).toBe((await invoices.list({ subscription: old.id })).data[0]?.id)
  const { data } = await invoiceItems.list({ customer: old.customer, pending: true })
  expect(data.map(({ amount, proration }) => ({ amount, proration }))).toEqual([
    { amount: 1000, proration: true },
    { amount: -500, proration: true },
  ])

  const next = await invoices.createPreview({ subscription: old.id })
  expect(amounts(next)).toEqual([-500, 1000, 2000])
  expect(next.lines.data[2]?.period.start).toBe(old.end)
})

test('a change without prorations costs nothing until the next period', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  const { id: price } = await billing.price(2000)
  await subscriptions.update(old.id, { items: [{ id: old.item.id, price }], proration_behavior: 'none' })

  expect((await invoices.list({ subscription: old.id })).data).toHaveLength(1)
  expect(amounts(await invoices.createPreview({ subscription: old.id }))).toEqual([2000])
})

test('a credit is what was charged, not what the price is now', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  const [high, third] = await Promise.all([billing.price(2000), billing.price(3000)])
  await subscriptions.update(old.id, { items: [{ id: old.item.id, price: high.id }], proration_behavior: 'none' })
  const preview = await invoices.createPreview({
    subscription: old.id,
    subscription_details: {
      items: [{ id: old.item.id, price: third.id }],
      proration_date: old.half,
      proration_behavior: 'always_invoice',
    },
  })

  expect(preview.total).toBe(1000)
})

test('a switch to a yearly price starts a new year now, and is invoiced at once', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  const { id: price } = await billing.price(9000, { recurring: { interval: 'year' } })
  const items = [{ id: old.item.id, price }]
  const preview = await invoices.createPreview({
    subscription: old.id,
    subscription_details: { items, proration_date: old.half },
  })
  const changed = await subscriptions.update(old.id, { items, proration_date: old.half, expand: ['latest_invoice'] })
  const invoice = latestInvoice(changed)

  expect(amounts(invoice)).toEqual([-500, 9000])
  expect(invoice.amount_due).toBe(preview.amount_due)
  expect(changed.billing_cycle_anchor).toBe(changed.items.data[0]?.current_period_start)
  expect((changed.items.data[0]?.current_period_end ?? 0) - changed.billing_cycle_anchor).toBeGreaterThan(364 * 86_400)
})

test('a downgrade is credited to the customer’s balance, and the next invoice takes it', async () => {
  const { subscriptions, customers } = world.stripe
  const old = await billing.subscription(4000)
  const { id: price } = await billing.price(1000)
  const down = await subscriptions.update(old.id, {
    items: [{ id: old.item.id, price }],
    proration_date: old.half,
    proration_behavior: 'always_invoice',
    expand: ['latest_invoice'],
  })
  expect(down.latest_invoice).toMatchObject({ total: -1500, amount_due: 0, status: 'paid', ending_balance: -1500 })
  expect(await customers.retrieve(old.customer)).toMatchObject({ balance: -1500 })

  const { id: more } = await billing.price(1000)
  const next = await subscriptions.create({
    customer: old.customer,
    items: [{ price: more }],
    expand: ['latest_invoice'],
  })
  expect(next.latest_invoice).toMatchObject({
    starting_balance: -1500,
    ending_balance: -500,
    amount_due: 0,
    total: 1000,
  })
  expect(next.status).toBe('active')
})

test('a proration date outside of the period is refused', async () => {
  const old = await billing.subscription(1000)
  const update = { items: [{ id: old.item.id, quantity: 2 }], proration_date: old.end + 1 }
  expect((await world.refused(world.stripe.subscriptions.update(old.id, update))).message).toContain(
    'outside of current subscription period',
  )
})

test('a coupon that counts once reduces the first invoice, and can be used up', async () => {
  const { subscriptions, coupons, invoices } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id: coupon } = await coupons.create({
    amount_off: 300,
    currency: 'usd',
    duration: 'once',
    max_redemptions: 1,
  })
  const made = await subscriptions.create({
    customer,
    items: [{ price }],
    discounts: [{ coupon }],
    expand: ['latest_invoice'],
  })
  const invoice = latestInvoice(made)

  expect(invoice).toMatchObject({ total: 700, amount_paid: 700, total_discount_amounts: [{ amount: 300 }] })
  expect(made.discounts).toEqual([])
  expect((await invoices.createPreview({ subscription: made.id })).total).toBe(1000)
  expect(await billing.events(made.id)).toEqual(
    expect.arrayContaining(['customer.discount.created', 'customer.discount.deleted']),
  )
  const again = await world.refused(subscriptions.create({ customer, items: [{ price }], discounts: [{ coupon }] }))
  expect(again.code).toBe('coupon_expired')
})

test('an add-on bought once is on the first invoice', async () => {
  const { id: customer } = await billing.customer()
  const [{ id: price }, { id: setup }] = await Promise.all([billing.price(1000), billing.oneTime(250)])
  const made = await world.stripe.subscriptions.create({
    customer,
    items: [{ price }],
    add_invoice_items: [{ price: setup, quantity: 2 }],
    expand: ['latest_invoice'],
  })
  expect(made.latest_invoice).toMatchObject({ total: 1500, status: 'paid' })
})

test('what is taken off a change once is in its preview, its invoice and its tax, and in no later one', async () => {
  const { id: customer } = await billing.customer()
  const [{ id: price }, product] = await Promise.all([
    billing.price(1000),
    world.stripe.products.create({ name: 'Folio Editor' }),
  ])
  const made = await world.stripe.subscriptions.create({ customer, items: [{ price }] })
  const item = made.items.data[0]?.id ?? ''
  const price_data = { currency: 'usd', product: product.id, unit_amount: -300 }
  const items = [{ id: item, price, quantity: 2 }]
  const proration_date = made.items.data[0]?.current_period_start ?? 0
  const preview = await world.stripe.invoices.createPreview({
    subscription: made.id,
    invoice_items: [{ amount: -300, currency: 'usd', metadata: { coupon: 'THREE' } }],
    subscription_details: { items, proration_behavior: 'always_invoice', proration_date },
  })
  const changed = await world.stripe.subscriptions.update(made.id, {
    items,
    add_invoice_items: [{ price_data, metadata: { coupon: 'THREE' } }],
    proration_behavior: 'always_invoice',
    proration_date,
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  expect(preview.total).toBe(700)
  // A preview takes a credit only as an amount.
  await expect(
    world.stripe.invoices.createPreview({ subscription: made.id, invoice_items: [{ price_data }] }),
  ).rejects.toThrow('greater than or equal to 0')
  expect(changed.latest_invoice).toMatchObject({ total: 700, status: 'paid' })
  const lines = latestInvoice(changed).lines.data
  expect(lines.find(({ metadata }) => metadata.coupon === 'THREE')?.amount).toBe(-300)
  expect((await world.stripe.invoices.createPreview({ subscription: made.id })).total).toBe(2000)
  const foreign = { ...price_data, currency: 'eur' }
  await expect(
    world.stripe.subscriptions.update(made.id, { items, add_invoice_items: [{ price_data: foreign }] }),
  ).rejects.toThrow('only supports')
})
