import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { cardObjects } from '../store/cards.tables.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const day = 86_400
const hour = 3600

async function newSubscription(
  more: Partial<Stripe.SubscriptionCreateParams> = {},
  customer: Stripe.CustomerCreateParams = {},
) {
  const holder = await billing.customer('pm_card_visa', customer)
  const price = await billing.price(1000)
  const made = await world.stripe.subscriptions.create({ customer: holder.id, items: [{ price: price.id }], ...more })
  const [item] = made.items.data
  return {
    customer: holder.id,
    id: made.id,
    item: item?.id ?? '',
    start: item?.current_period_start ?? 0,
    end: item?.current_period_end ?? 0,
  }
}

const fresh = (id: string) => world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })

test('a yearly commitment that is billed monthly ends at its end, after its last month', async () => {
  const made = await newSubscription()
  const commitmentEnd = made.end + 61 * day
  await world.stripe.subscriptions.update(made.id, { cancel_at: commitmentEnd, proration_behavior: 'none' })
  await billing.advance({ to: commitmentEnd + day })

  const ended = await fresh(made.id)
  expect(ended).toMatchObject({ status: 'canceled', ended_at: commitmentEnd, cancel_at: commitmentEnd })
  expect((await world.stripe.invoices.list({ subscription: made.id })).data.length).toBeGreaterThanOrEqual(3)
})

test('a change that needs 3-D Secure waits, and is applied when the bank was answered in the page', async () => {
  const { subscriptions, invoices, paymentIntents } = world.stripe
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_authenticationRequired')
  const { id: price } = await billing.price(2000)
  const waiting = await subscriptions.update(made.id, {
    items: [{ id: made.item, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice.confirmation_secret'],
  })
  expect(waiting.pending_update).not.toBeNull()
  const invoice = latestInvoice(waiting)
  const [intent = ''] = invoice.confirmation_secret?.client_secret.split('_secret_') ?? []
  const { next_action, status } = await paymentIntents.retrieve(intent)
  expect(status).toBe('requires_action')
  await world.press(new URL(String(next_action?.use_stripe_sdk?.stripe_js)).pathname, 'answer=complete')

  expect((await invoices.retrieve(invoice.id)).status).toBe('paid')
  expect(await fresh(made.id)).toMatchObject({ pending_update: null, items: { data: [{ price: { id: price } }] } })
})

test('a renewal that is paid late makes the subscription active, whatever became of a change in between', async () => {
  const { subscriptions, invoices } = world.stripe
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + hour })
  const renewal = latestInvoice(await fresh(made.id))
  const waiting = await subscriptions.update(made.id, {
    items: [{ id: made.item, quantity: 2 }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  expect(waiting).toMatchObject({ status: 'past_due', pending_update: expect.anything() })
  await invoices.voidInvoice(String(waiting.latest_invoice))
  const card = await billing.useCard(made.customer, 'pm_card_visa')
  await invoices.pay(renewal.id, { payment_method: card })

  expect(await fresh(made.id)).toMatchObject({ status: 'active', items: { data: [{ quantity: 1 }] } })
})

test('a moved anchor starts a new period now', async () => {
  const made = await newSubscription()
  const changed = await world.stripe.subscriptions.update(made.id, {
    billing_cycle_anchor: { type: 'now' },
    proration_date: Math.floor((made.start + made.end) / 2),
    expand: ['latest_invoice'],
  })
  const invoice = latestInvoice(changed)
  expect(invoice.lines.data.map(({ amount }) => amount)).toEqual([-500, 1000])
  expect(changed.billing_cycle_anchor).toBe(changed.items.data[0]?.current_period_start)
})

test('a later anchor charges the time until then in part', async () => {
  const now = await billing.now()
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(3000)
  const made = await world.stripe.subscriptions.create({
    customer,
    items: [{ price }],
    billing_cycle_anchor: now + 10 * day,
    expand: ['latest_invoice'],
  })
  const invoice = latestInvoice(made)
  expect(made.items.data[0]?.current_period_end).toBe(now + 10 * day)
  expect(invoice.total).toBeGreaterThan(900)
  expect(invoice.total).toBeLessThan(1100)
})

test('an anchor beyond the first period is refused, also of a year beside a month', async () => {
  const now = await billing.now()
  const { id: customer } = await billing.customer()
  const [{ id: monthly }, { id: yearly }] = await Promise.all([
    billing.price(1000),
    billing.price(9000, { recurring: { interval: 'year' } }),
  ])
  const anchoredAt = (days: number, ...prices: string[]) =>
    world.stripe.subscriptions.create({
      ...{ customer, items: prices.map((price) => ({ price })), billing_cycle_anchor: now + days * day },
      proration_behavior: 'none',
    })
  expect(await world.refused(anchoredAt(32, monthly))).toMatchObject({ statusCode: 400, param: 'billing_cycle_anchor' })
  expect(await world.refused(anchoredAt(32, yearly, monthly))).toMatchObject({ statusCode: 400 })
  expect((await anchoredAt(32, yearly)).billing_cycle_anchor).toBe(now + 32 * day)
})

test('items with different intervals renew apart', async () => {
  const { id: customer } = await billing.customer()
  const [{ id: monthly }, { id: yearly }] = await Promise.all([
    billing.price(1000),
    billing.price(9000, { recurring: { interval: 'year' } }),
  ])
  const made = await world.stripe.subscriptions.create({ customer, items: [{ price: monthly }, { price: yearly }] })
  const [month, year] = made.items.data
  await billing.advance({ to: (month?.current_period_end ?? 0) + hour })
  const renewed = await fresh(made.id)

  expect(latestInvoice(renewed).amount_paid).toBe(1000)
  expect(renewed.items.data[0]?.current_period_start).toBe(month?.current_period_end)
  expect(renewed.items.data[1]?.current_period_end).toBe(year?.current_period_end)
})

test('a card that was detached is not charged: the renewal fails as without a card', async () => {
  const made = await newSubscription()
  const card = await billing.useCard(made.customer, 'pm_card_visa')
  await world.stripe.subscriptions.update(made.id, { default_payment_method: card })
  for (const { id } of (await world.stripe.paymentMethods.list({ customer: made.customer })).data) {
    await world.stripe.paymentMethods.detach(id)
  }
  await billing.advance({ to: made.end + hour })

  expect(await fresh(made.id)).toMatchObject({
    status: 'past_due',
    latest_invoice: { status: 'open', attempt_count: 1 },
  })
})

test('without an address to tax a renewal stays a draft, and the event says why', async () => {
  const made = await newSubscription({ automatic_tax: { enabled: true } }, { address: { country: 'DE' } })
  await world.stripe.customers.update(made.customer, { address: '' })
  await billing.advance({ to: made.end + 2 * hour })

  expect((await fresh(made.id)).latest_invoice).toMatchObject({
    status: 'draft',
    automatically_finalizes_at: null,
    next_payment_attempt: null,
    last_finalization_error: { code: 'customer_tax_location_invalid' },
  })
  expect(await billing.events(made.id)).toContain('invoice.finalization_failed')
})

test('the draft of a canceled subscription is not collected any more', async () => {
  const made = await newSubscription()
  await billing.advance({ to: made.end + 60 })
  await world.stripe.subscriptions.cancel(made.id)

  expect((await fresh(made.id)).latest_invoice).toMatchObject({
    status: 'draft',
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  })
})

test('a deleted customer’s subscriptions end, and nothing is due any more', async () => {
  const made = await newSubscription()
  const waiting = await newSubscription()
  await billing.useCard(waiting.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: Math.max(made.end, waiting.end) + hour })
  await world.stripe.customers.del(made.customer)
  await world.stripe.customers.del(waiting.customer)

  expect((await fresh(made.id)).status).toBe('canceled')
  expect((await fresh(waiting.id)).status).toBe('canceled')
  await billing.advance({ seconds: 60 * day })
})

test('a step waits for a request that holds what it needs', async () => {
  const made = await newSubscription()
  let released = false
  const holding = world.db.transaction(async (tx) => {
    await tx.select({ id: cardObjects.id }).from(cardObjects).for('update')
    await new Promise((resolve) => setTimeout(resolve, 2500))
    released = true
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  await billing.advance({ to: made.end + hour })

  expect(released).toBe(true)
  await holding
  expect((await fresh(made.id)).items.data[0]?.current_period_start).toBe(made.end)
})

/** An invoice beside the periods whose own card is declined; its retries run out eleven days after the renewal. */
async function declinedBeside() {
  const made = await newSubscription()
  await billing.advance({ to: made.end - 10 * day })
  const { id: card } = await world.stripe.paymentMethods.attach('pm_card_chargeCustomerFail', {
    customer: made.customer,
  })
  const beside = { customer: made.customer, subscription: made.id }
  await world.stripe.invoiceItems.create({ ...beside, amount: 4900, currency: 'usd' })
  const { id } = await world.stripe.invoices.create({ ...beside, auto_advance: true, default_payment_method: card })
  return { ...made, beside: id }
}

test('an invoice whose retries run out leaves a subscription alone whose latest invoice is paid', async () => {
  const made = await declinedBeside()
  await billing.advance({ to: made.end + 13 * day })
  expect(await world.stripe.invoices.retrieve(made.beside)).toMatchObject({
    status: 'open',
    next_payment_attempt: null,
  })
  const { status, latest_invoice: latest } = await fresh(made.id)
  expect([status, latest]).toMatchObject(['active', { status: 'paid', billing_reason: 'subscription_cycle' }])
})

test('an older invoice whose retries run out ends a subscription whose latest invoice is not paid either', async () => {
  const made = await declinedBeside()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + 13 * day })
  const { status, cancellation_details: why, ended_at: end } = await fresh(made.id)
  expect([status, why?.reason]).toEqual(['canceled', 'payment_failed'])
  // The renewal alone would be tried until the 21st day.
  expect(end).toBeLessThan(made.end + 12 * day)
})
