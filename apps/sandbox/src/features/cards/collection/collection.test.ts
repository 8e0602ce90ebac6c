import type Stripe from 'stripe'
import { beforeEach, expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { newMerchant } from '../../../test/merchant.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

beforeEach(() => settings({ retryDays: [3, 5, 7, 6], afterRetries: 'cancel' }))

const day = 86_400
const hour = 3600

async function settings(payload: object) {
  const reply = await world.app.inject({ method: 'PUT', url: '/cards/control/collection/', payload })
  expect(reply.statusCode, reply.body).toBe(200)
}

async function newSubscription(
  more: Partial<Stripe.SubscriptionCreateParams> = {},
  card: string | null = 'pm_card_visa',
) {
  const customer = card ? (await billing.customer(card)).id : (await world.stripe.customers.create()).id
  const { id: price } = await billing.price(1000)
  const made = await world.stripe.subscriptions.create({ customer, items: [{ price }], ...more })
  return { customer, price, id: made.id, ...periodOf(made) }
}

function periodOf({ items }: Stripe.Subscription) {
  const [item] = items.data
  return { item: item?.id ?? '', start: item?.current_period_start ?? 0, end: item?.current_period_end ?? 0 }
}

const fresh = (id: string) => world.stripe.subscriptions.retrieve(id)

async function latestInvoice(id: string) {
  const { latest_invoice } = await world.stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] })
  if (latest_invoice === null || typeof latest_invoice === 'string') throw new Error('no invoice')
  return latest_invoice
}

test('a renewal is announced, drafted, an hour later finalized and paid', async () => {
  const made = await newSubscription()
  await billing.advance({ to: made.end - 6 * day })
  const [announced] = (await world.stripe.events.list({ type: 'invoice.upcoming', limit: 1 })).data
  expect(announced?.data.object).toMatchObject({ total: 1000, billing_reason: 'upcoming' })

  await billing.advance({ to: made.end + 60 })
  const draft = await latestInvoice(made.id)
  expect(draft).toMatchObject({
    status: 'draft',
    billing_reason: 'subscription_cycle',
    created: made.end,
    automatically_finalizes_at: made.end + hour,
    next_payment_attempt: made.end + hour,
    period_start: made.start,
    period_end: made.end,
  })
  const renewed = periodOf(await fresh(made.id))
  expect(renewed.start).toBe(made.end)

  await billing.advance({ to: made.end + hour })
  expect(await latestInvoice(made.id)).toMatchObject({
    id: draft.id,
    status: 'paid',
    attempt_count: 1,
    amount_paid: 1000,
    status_transitions: { finalized_at: made.end + hour, paid_at: made.end + hour },
  })
  const types = (await billing.events(draft.id)).filter((type) => type.startsWith('invoice'))
  expect(types).toEqual([
    'invoice.created',
    'invoice.finalized',
    'invoice.updated',
    'invoice.updated',
    'invoice.paid',
    'invoice.payment_succeeded',
    'invoice_payment.paid',
  ])
})

test('a year passes in one move, with twelve renewals in order', async () => {
  const made = await newSubscription()
  const moved = await billing.advance({ to: made.end + 11 * 31 * day + hour })
  const { data } = await world.stripe.invoices.list({ subscription: made.id, limit: 100 })

  expect(data.length).toBeGreaterThanOrEqual(12)
  expect(data.every(({ status }) => status === 'paid')).toBe(true)
  const steps = moved.steps.map(({ at }: { at: string }) => at)
  expect(steps).toEqual([...steps].sort())
  const periods = data.map(({ lines }) => lines.data[0]?.period).toReversed()
  for (const [place, period] of periods.entries()) {
    if (place > 0) expect(period?.start).toBe(periods[place - 1]?.end)
  }
})

test('webhooks of a step are delivered before the next step', async () => {
  const made = await newSubscription()
  await using merchant = await newMerchant({ stripe: world.stripe, events: ['invoice.created', 'invoice.paid'] })
  await billing.advance({ to: made.end + 32 * day })

  const about = merchant.taken.filter(({ payload }) => payload.includes(made.id))
  expect(about.map(({ event }) => event.type)).toEqual([
    'invoice.created',
    'invoice.paid',
    'invoice.created',
    'invoice.paid',
  ])
})

test('a declined renewal is retried four times over 21 days, and then ends the subscription', async () => {
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + hour })
  const first = made.end + hour
  expect((await fresh(made.id)).status).toBe('past_due')
  expect(await latestInvoice(made.id)).toMatchObject({
    status: 'open',
    attempt_count: 1,
    next_payment_attempt: first + 3 * day,
  })

  await billing.advance({ to: first + 8 * day })
  expect(await latestInvoice(made.id)).toMatchObject({ attempt_count: 3, next_payment_attempt: first + 15 * day })
  await billing.advance({ to: first + 21 * day - 1 })
  expect((await fresh(made.id)).status).toBe('past_due')
  await billing.advance({ to: first + 21 * day })

  expect(await fresh(made.id)).toMatchObject({
    status: 'canceled',
    ended_at: first + 21 * day,
    cancellation_details: { reason: 'payment_failed' },
  })
  expect(await latestInvoice(made.id)).toMatchObject({
    status: 'open',
    attempt_count: 5,
    next_payment_attempt: null,
    auto_advance: false,
  })
  expect((await billing.events(made.id)).filter((type) => type === 'invoice.payment_failed')).toHaveLength(5)
})

test('the events of a renewal and of a failure say what was before', async () => {
  const made = await newSubscription()
  const before = (await fresh(made.id)).latest_invoice
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + hour })
  const { data } = await world.stripe.events.list({ type: 'customer.subscription.updated', limit: 2 })

  expect(data.map((event) => event.data.previous_attributes)).toEqual([
    { status: 'active' },
    { items: { data: [expect.objectContaining({ current_period_start: made.start })] }, latest_invoice: before },
  ])
})

test('a past due subscription recovers with another card, at the next retry or at once', async () => {
  for (const isAtOnce of [true, false]) {
    const made = await newSubscription()
    await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
    await billing.advance({ to: made.end + hour })
    const card = await billing.useCard(made.customer, 'pm_card_visa')
    const { id } = await latestInvoice(made.id)
    expect(await world.stripe.customers.retrieve(made.customer)).toMatchObject({ delinquent: true })
    if (isAtOnce) await world.stripe.invoices.pay(id, { payment_method: card })
    else await billing.advance({ to: made.end + hour + 3 * day })

    expect(await latestInvoice(made.id)).toMatchObject({ status: 'paid', attempt_count: isAtOnce ? 1 : 2 })
    expect((await fresh(made.id)).status).toBe('active')
    expect(await world.stripe.customers.retrieve(made.customer)).toMatchObject({ delinquent: false })
  }
})

test('what follows the last retry is a setting: unpaid keeps later invoices as drafts', async () => {
  await settings({ retryDays: [1], afterRetries: 'unpaid' })
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + 2 * day })
  expect((await fresh(made.id)).status).toBe('unpaid')

  await billing.advance({ to: periodOf(await fresh(made.id)).end + 2 * day })
  const draft = await latestInvoice(made.id)
  expect(draft).toMatchObject({ status: 'draft', auto_advance: false })

  // What was open is paid; only the most recent invoice, once it is finalized and paid, makes it active.
  const card = await billing.useCard(made.customer, 'pm_card_visa')
  const [open] = (await world.stripe.invoices.list({ subscription: made.id, status: 'open' })).data
  await world.stripe.invoices.pay(open?.id ?? '', { payment_method: card })
  expect((await fresh(made.id)).status).toBe('unpaid')
  await world.stripe.invoices.finalizeInvoice(draft.id, { auto_advance: false })
  await world.stripe.invoices.pay(draft.id, { payment_method: card })
  expect((await fresh(made.id)).status).toBe('active')
})

test('a pause after the last retry bills nothing more, and ends once the invoice is paid', async () => {
  await settings({ retryDays: [1], afterRetries: 'pause' })
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + 2 * day })
  const paused = { type: 'subscription', subscription: { type: 'final_payment_failure' } }
  expect(await fresh(made.id)).toMatchObject({ status: 'paused', status_details: { paused } })
  const { id = '' } = await latestInvoice(made.id)

  await billing.advance({ to: periodOf(await fresh(made.id)).end + 2 * day })
  expect(await latestInvoice(made.id)).toMatchObject({ id, status: 'open' })
  await world.stripe.invoices.pay(id, { payment_method: await billing.useCard(made.customer, 'pm_card_visa') })
  expect((await fresh(made.id)).status).toBe('active')
})

test('a pause that a payment does not end is ended by resuming', async () => {
  await settings({ retryDays: [1], afterRetries: 'stay_paused' })
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  await billing.advance({ to: made.end + 2 * day })
  const { id } = await latestInvoice(made.id)
  await world.stripe.invoices.pay(id, { payment_method: await billing.useCard(made.customer, 'pm_card_visa') })
  const { items } = await fresh(made.id)
  const asked = { billing_cycle_anchor: { type: 'unchanged' }, proration_behavior: 'none' } as const
  const resumed = await world.stripe.subscriptions.resume(made.id, asked)
  expect(resumed).toMatchObject({ status: 'active', latest_invoice: id, items })
  expect((await world.refused(world.stripe.subscriptions.resume(made.id, asked))).message).toContain('paused')
})

test('after a hard decline retries wait for another card', async () => {
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_radarBlock')
  await billing.advance({ to: made.end + hour })
  const { id } = await latestInvoice(made.id)
  await billing.advance({ to: made.end + hour + 3 * day })
  expect(
    (await billing.events(id)).filter((type) => type === 'charge.failed' || type === 'invoice.payment_failed'),
  ).toEqual(['invoice.payment_failed'])

  await billing.useCard(made.customer, 'pm_card_visa')
  await billing.advance({ to: made.end + hour + 8 * day })
  expect(await latestInvoice(made.id)).toMatchObject({ id, status: 'paid' })
})

test('a renewal that needs 3-D Secure waits for the customer, who answers on the bank’s page', async () => {
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_authenticationRequired')
  await billing.advance({ to: made.end + hour })
  expect((await fresh(made.id)).status).toBe('past_due')
  const { id } = await latestInvoice(made.id)
  expect(await billing.events(id)).toEqual(
    expect.arrayContaining(['invoice.payment_action_required', 'invoice.payment_failed']),
  )
  const { confirmation_secret } = await world.stripe.invoices.retrieve(id, { expand: ['confirmation_secret'] })
  const [intent = ''] = confirmation_secret?.client_secret.split('_secret_') ?? []
  const asked = await world.stripe.paymentIntents.retrieve(intent)
  expect(asked.status).toBe('requires_action')
  const address = new URL(String(asked.next_action?.use_stripe_sdk?.stripe_js))
  expect((await world.press(address.pathname, 'answer=complete')).statusCode).toBe(200)

  expect((await world.stripe.invoices.retrieve(id)).status).toBe('paid')
  expect((await fresh(made.id)).status).toBe('active')
})

test('a subscription that ends with its period does not renew', async () => {
  const made = await newSubscription()
  await world.stripe.subscriptions.update(made.id, { cancel_at_period_end: true })
  const canceledAt = (await fresh(made.id)).canceled_at
  await billing.advance({ to: made.end + hour })

  expect(await fresh(made.id)).toMatchObject({
    status: 'canceled',
    ended_at: made.end,
    canceled_at: canceledAt,
    cancellation_details: { reason: 'cancellation_requested' },
  })
  expect((await world.stripe.invoices.list({ subscription: made.id })).data).toHaveLength(1)
  expect((await billing.events(made.id)).at(-1)).toBe('customer.subscription.deleted')
})

test('a first invoice that is not paid for 23 hours expires the subscription', async () => {
  const made = await newSubscription({ payment_behavior: 'default_incomplete' })
  await billing.advance({ seconds: 22 * hour })
  expect((await fresh(made.id)).status).toBe('incomplete')
  await billing.advance({ seconds: 1.5 * hour })

  expect((await fresh(made.id)).status).toBe('incomplete_expired')
  const invoice = await latestInvoice(made.id)
  expect(invoice.status).toBe('void')
  expect((await world.refused(world.stripe.invoices.pay(invoice.id))).code).toBe('status_transition_invalid')
})

test('a pending update expires after 23 hours, and nothing has changed', async () => {
  const made = await newSubscription()
  await billing.useCard(made.customer, 'pm_card_chargeCustomerFail')
  const { id: price } = await billing.price(2000)
  const waiting = await world.stripe.subscriptions.update(made.id, {
    items: [{ id: made.item, price }],
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
  })
  await billing.advance({ to: waiting.pending_update?.expires_at ?? 0 })

  expect(await fresh(made.id)).toMatchObject({
    pending_update: null,
    status: 'active',
    items: { data: [{ price: { id: made.price } }] },
  })
  expect((await world.stripe.invoices.retrieve(String(waiting.latest_invoice))).status).toBe('void')
  expect(await billing.events(made.id)).toContain('customer.subscription.pending_update_expired')
})

test.each([
  ['cancel', 'canceled'],
  ['pause', 'paused'],
  ['create_invoice', 'past_due'],
] as const)('a trial that ends without a card and says %s is then %s', async (missing_payment_method, status) => {
  const trial = { trial_period_days: 7, trial_settings: { end_behavior: { missing_payment_method } } }
  const made = await newSubscription(trial, null)
  await billing.advance({ to: made.end - 3 * day })
  expect(await billing.events(made.id)).toContain('customer.subscription.trial_will_end')
  await billing.advance({ to: made.end + 2 * hour })

  expect((await fresh(made.id)).status).toBe(status)
})

test('a trial with a card becomes a paid period', async () => {
  const made = await newSubscription({ trial_period_days: 7 })
  await billing.advance({ to: made.end + hour })

  expect(await fresh(made.id)).toMatchObject({ status: 'active', billing_cycle_anchor: made.end })
  expect(await latestInvoice(made.id)).toMatchObject({
    status: 'paid',
    amount_paid: 1000,
    billing_reason: 'subscription_cycle',
  })
  expect(periodOf(await fresh(made.id)).start).toBe(made.end)
})

test('prorations that wait are on the renewal', async () => {
  const made = await newSubscription()
  const { id: price } = await billing.price(2000)
  const half = (made.start + made.end) / 2
  await world.stripe.subscriptions.update(made.id, {
    items: [{ id: made.item, price }],
    proration_date: Math.floor(half),
  })
  const preview = await world.stripe.invoices.createPreview({ subscription: made.id })
  await billing.advance({ to: made.end + hour })

  const invoice = await latestInvoice(made.id)
  expect(invoice).toMatchObject({ status: 'paid', total: preview.total })
  expect(invoice.lines.data).toHaveLength(3)
  expect((await world.stripe.invoiceItems.list({ customer: made.customer, pending: true })).data).toEqual([])
})
