import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const hour = 3600

test('a subscription is paid at once with the customer’s card, and is active for a month', async () => {
  const { subscriptions, invoices } = world.stripe
  const { id: customer } = await billing.customer()
  const price = await billing.price(1000)
  const made = await subscriptions.create({
    customer,
    items: [{ price: price.id, quantity: 2, metadata: { seat: 'a' } }],
    metadata: { ours: '7' },
    description: 'Editor',
  })

  expect(made).toMatchObject({
    object: 'subscription',
    status: 'active',
    currency: 'usd',
    billing_mode: { type: 'flexible' },
    billing_schedules: [],
    cancel_at_period_end: false,
    metadata: { ours: '7' },
    pending_update: null,
  })
  const [item] = made.items.data
  expect(item).toMatchObject({ quantity: 2, price: { id: price.id }, plan: { amount: 1000 }, metadata: { seat: 'a' } })
  expect(item?.current_period_end).toBe(monthAfter(item?.current_period_start ?? 0))

  const invoice = await invoices.retrieve(String(made.latest_invoice), { expand: ['payments'] })
  expect(invoice).toMatchObject({
    status: 'paid',
    billing_reason: 'subscription_create',
    amount_due: 2000,
    amount_paid: 2000,
    amount_remaining: 0,
    total: 2000,
    parent: { type: 'subscription_details', subscription_details: { subscription: made.id, metadata: { ours: '7' } } },
    number: expect.stringMatching(/^[A-Z0-9]{8}-0001$/),
  })
  expect(invoice.lines.data).toEqual([
    expect.objectContaining({
      amount: 2000,
      description: '2 × Editor (at 10.00 USD / month)',
      metadata: { ours: '7' },
      quantity: 2,
      period: { start: item?.current_period_start, end: item?.current_period_end },
      parent: expect.objectContaining({
        subscription_item_details: expect.objectContaining({ subscription_item: item?.id, proration: false }),
      }),
    }),
  ])
  expect(invoice.payments?.data).toMatchObject([{ status: 'paid', amount_paid: 2000, is_default: true }])
})

function monthAfter(start: number): number {
  const date = new Date(start * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + 1)
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  date.setUTCDate(Math.min(day, last))
  return date.getTime() / 1000
}

test('a new subscription sends its events in order', async () => {
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  await world.stripe.subscriptions.create({ customer, items: [{ price }] })

  expect((await billing.events(customer)).slice(2)).toEqual([
    'customer.subscription.created',
    'invoice.created',
    'customer.updated',
    'invoice.finalized',
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.succeeded',
    'invoice.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'customer.subscription.updated',
  ])
})

test('default_incomplete waits for the page, which confirms with the secret of the invoice', async () => {
  const { subscriptions, paymentIntents, paymentMethods } = world.stripe
  const { id: customer } = await world.stripe.customers.create()
  const { id: price } = await billing.price(1000)
  const made = await subscriptions.create({
    customer,
    items: [{ price }],
    payment_behavior: 'default_incomplete',
    payment_settings: { save_default_payment_method: 'on_subscription' },
    expand: ['latest_invoice.confirmation_secret'],
  })
  expect(made.status).toBe('incomplete')
  const invoice = latestInvoice(made)
  expect(invoice).toMatchObject({
    status: 'open',
    attempted: false,
    hosted_invoice_url: expect.stringContaining('/cards/invoices/'),
  })
  const secret = invoice.confirmation_secret?.client_secret ?? ''
  const { id: card } = await paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })

  const inBrowser = { client_secret: secret, payment_method: card, return_url: 'https://folio.test/' }
  await world.browser.paymentIntents.confirm(secret.split('_secret_')[0] ?? '', inBrowser)

  expect(await subscriptions.retrieve(made.id)).toMatchObject({ status: 'active', default_payment_method: card })
  const payment = await world.stripe.invoicePayments.list({
    payment: { type: 'payment_intent', payment_intent: secret.split('_secret_')[0] ?? '' },
  })
  expect(payment.data).toMatchObject([{ invoice: invoice.id, status: 'paid' }])
  expect((await paymentIntents.retrieve(secret.split('_secret_')[0] ?? '')).status).toBe('succeeded')
})

test('with allow_incomplete a declined card leaves an open invoice, and another card pays it', async () => {
  const { subscriptions, invoices } = world.stripe
  const { id: customer } = await billing.customer('pm_card_chargeCustomerFail')
  const { id: price } = await billing.price(1000)
  const made = await subscriptions.create({ customer, items: [{ price }] })
  expect(made.status).toBe('incomplete')
  const invoice = String(made.latest_invoice)
  expect(await invoices.retrieve(invoice)).toMatchObject({ status: 'open', attempted: true, attempt_count: 1 })
  expect((await world.refused(subscriptions.update(made.id, { items: [{ price, quantity: 2 }] }))).statusCode).toBe(400)

  const card = await billing.useCard(customer, 'pm_card_visa')
  expect(await invoices.pay(invoice, { payment_method: card })).toMatchObject({ status: 'paid', attempt_count: 1 })
  expect((await subscriptions.retrieve(made.id)).status).toBe('active')
})

test('without any card an automatic subscription is refused', async () => {
  const { id: customer } = await world.stripe.customers.create()
  const { id: price } = await billing.price(1000)
  const refused = await world.refused(world.stripe.subscriptions.create({ customer, items: [{ price }] }))

  expect(refused).toMatchObject({ statusCode: 400, code: 'resource_missing' })
  expect(refused.message).toContain('no attached payment source')
})

test('auto-renewal is switched off and on again', async () => {
  const { subscriptions } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id, items } = await subscriptions.create({ customer, items: [{ price }] })
  const end = items.data[0]?.current_period_end

  const off = await subscriptions.update(id, { cancel_at_period_end: true })
  expect(off).toMatchObject({
    status: 'active',
    cancel_at_period_end: true,
    cancel_at: end,
    canceled_at: expect.any(Number),
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect(await subscriptions.update(id, { cancel_at_period_end: false })).toMatchObject({
    cancel_at_period_end: false,
    cancel_at: null,
    canceled_at: null,
    cancellation_details: { reason: null, comment: null },
  })
})

test('a canceled subscription is over, listed as ended, and cannot change', async () => {
  const { subscriptions } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id } = await subscriptions.create({ customer, items: [{ price }] })

  expect(await subscriptions.cancel(id)).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) })
  expect((await subscriptions.list({ customer })).data).toEqual([])
  expect((await subscriptions.list({ customer, status: 'ended' })).data.map((one) => one.id)).toEqual([id])
  expect((await world.refused(subscriptions.cancel(id))).statusCode).toBe(404)
  expect((await world.refused(subscriptions.update(id, { cancel_at_period_end: true }))).code).toBe(
    'invalid_canceled_subscription_fields',
  )
})

test('a trial starts free, with a setup intent for the card that is missing', async () => {
  const { subscriptions, invoices, setupIntents } = world.stripe
  const { id: customer } = await world.stripe.customers.create()
  const { id: price } = await billing.price(1000)
  const made = await subscriptions.create({ customer, items: [{ price }], trial_period_days: 14 })

  expect(made).toMatchObject({ status: 'trialing', trial_end: made.start_date + 14 * 24 * hour })
  expect(made.items.data[0]?.current_period_end).toBe(made.trial_end)
  expect(await invoices.retrieve(String(made.latest_invoice))).toMatchObject({ status: 'paid', total: 0 })
  expect(await setupIntents.retrieve(String(made.pending_setup_intent))).toMatchObject({
    customer,
    usage: 'off_session',
  })
})

test('the card of a trial’s setup intent is saved on the subscription', async () => {
  const { subscriptions, setupIntents } = world.stripe
  const { id: customer } = await world.stripe.customers.create()
  const { id: price } = await billing.price(1000)
  const made = await subscriptions.create({
    customer,
    items: [{ price }],
    trial_period_days: 14,
    payment_settings: { save_default_payment_method: 'on_subscription' },
  })
  const { payment_method } = await setupIntents.confirm(String(made.pending_setup_intent), {
    payment_method: 'pm_card_visa',
    return_url: 'https://folio.test/',
  })

  expect(await subscriptions.retrieve(made.id)).toMatchObject({
    pending_setup_intent: null,
    default_payment_method: payment_method,
  })
})

test('a trial is ended now, and the first period starts and is paid', async () => {
  const { subscriptions, invoices } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id } = await subscriptions.create({ customer, items: [{ price }], trial_period_days: 14 })
  const ended = await subscriptions.update(id, { trial_end: 'now' })

  expect(ended.status).toBe('active')
  expect(ended.billing_cycle_anchor).toBe(ended.items.data[0]?.current_period_start)
  expect(await invoices.retrieve(String(ended.latest_invoice))).toMatchObject({ amount_paid: 1000, status: 'paid' })
})

test.each([
  ['a price that does not exist', { price: 'price_none' }, 'items[0][price]'],
  ['nothing', undefined, 'items'],
])('%s cannot be subscribed to', async (_name, item, param) => {
  const { id: customer } = await billing.customer()
  const refused = await world.refused(world.stripe.subscriptions.create({ customer, items: item ? [item] : [] }))
  expect(refused).toMatchObject({ statusCode: 400, param })
})

test('what cannot be on one subscription is refused', async () => {
  const { subscriptions } = world.stripe
  const { id: customer } = await billing.customer()
  const [monthly, yearly, euros, once] = await Promise.all([
    billing.price(1000),
    billing.price(9000, { recurring: { interval: 'year' } }),
    billing.price(1000, { currency: 'eur' }),
    billing.oneTime(500),
  ])
  const create = (items: Stripe.SubscriptionCreateParams.Item[], more = {}) =>
    world.refused(subscriptions.create({ customer, items, ...more }))

  expect((await create([{ price: monthly.id }, { price: monthly.id }])).message).toContain('same price')
  expect((await create([{ price: monthly.id }, { price: euros.id }])).message).toContain('same currency')
  expect((await create([{ price: once.id }])).message).toContain('type=recurring')
  const mixed = [{ price: monthly.id }, { price: yearly.id }]
  expect((await create([{ price: monthly.id }], { days_until_due: 5 })).code).toBe('parameter_unknown')
  expect((await subscriptions.create({ customer, items: mixed })).items.data).toHaveLength(2)
})
