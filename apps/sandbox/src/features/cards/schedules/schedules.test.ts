import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase

/** Twelve seats, and what is planned for the end of their period. */
async function planned({ next = {}, ...more }: { next?: Partial<Phase>; end_behavior?: 'cancel' | 'release' } = {}) {
  const old = await billing.subscription(1000, { quantity: 12 })
  const { subscriptionSchedules } = world.stripe
  const { id: schedule } = await subscriptionSchedules.create({ from_subscription: old.id })
  const price = old.price.id
  const phases: Phase[] = [
    { items: [{ price, quantity: 12 }], start_date: old.start, end_date: old.end },
    { items: [{ price, quantity: 8 }], proration_behavior: 'none', duration: { interval: 'month' }, ...next },
  ]
  await subscriptionSchedules.update(schedule, { phases, ...more })
  return { ...old, schedule }
}

const ofStripe = () => world.stripe.subscriptions
const refusal = (message: RegExp) => ({
  rawType: 'invalid_request_error',
  statusCode: 400,
  message: expect.stringMatching(message),
})

test('a schedule begins with what its subscription is, and takes nothing else with it', async () => {
  const { subscriptionSchedules, subscriptions } = world.stripe
  const { id, customer, price, start, end } = await billing.subscription(1000, { quantity: 12 })
  await expect(subscriptionSchedules.create({ from_subscription: id, end_behavior: 'cancel' })).rejects.toMatchObject(
    refusal(/end_behavior/),
  )
  const made = await subscriptionSchedules.create({ from_subscription: id })

  expect(made).toMatchObject({
    ...{ object: 'subscription_schedule', status: 'active', customer, subscription: id, end_behavior: 'release' },
    current_phase: { start_date: start, end_date: end },
    phases: [{ start_date: start, end_date: end, items: [{ price: price.id, quantity: 12 }] }],
  })
  expect(made.id).toMatch(/^sub_sched_/)
  expect(await subscriptionSchedules.retrieve(made.id)).toMatchObject({ id: made.id })
  expect((await subscriptionSchedules.list({ customer })).data).toMatchObject([{ id: made.id }])
  expect(await subscriptions.retrieve(id, { expand: ['schedule'] })).toMatchObject({ schedule: { id: made.id } })
  await expect(subscriptionSchedules.create({ from_subscription: id })).rejects.toMatchObject(
    refusal(/already attached/),
  )
  await expect(subscriptionSchedules.retrieve('sub_sched_none')).rejects.toMatchObject({ statusCode: 404 })
})

test('a subscription with a schedule is not told when to end, and can still be changed and ended at once', async () => {
  const { id, item, schedule } = await planned()
  for (const end of [{ cancel_at_period_end: true }, { cancel_at_period_end: false }]) {
    await expect(ofStripe().update(id, end)).rejects.toMatchObject(refusal(new RegExp(`managed by .*${schedule}`)))
  }
  expect(await ofStripe().retrieve(id)).toMatchObject({ cancel_at: null, cancel_at_period_end: false })
  await ofStripe().update(id, { items: [{ id: item.id, quantity: 13 }] })
  expect(await ofStripe().cancel(id)).toMatchObject({ status: 'canceled' })
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'canceled' })
})

test('a phase takes effect at its start, and what it makes of the subscription renews', async () => {
  const { id, schedule, end } = await planned()
  expect((await ofStripe().retrieve(id)).items.data).toMatchObject([{ quantity: 12 }])
  await billing.advance({ to: end + 2 * 3600 })

  const [item] = (await ofStripe().retrieve(id)).items.data
  expect(item).toMatchObject({ quantity: 8, current_period_start: end })
  const { data } = await world.stripe.invoices.list({ subscription: id })
  expect(data.map(({ status, amount_paid: paid }) => ({ status, paid }))).toEqual([
    { status: 'paid', paid: 8000 },
    { status: 'paid', paid: 12_000 },
  ])
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({
    current_phase: { start_date: end },
  })

  await billing.advance({ seconds: 32 * 86_400 })
  expect(await ofStripe().retrieve(id)).toMatchObject({
    schedule: null,
    status: 'active',
    items: { data: [{ quantity: 8 }] },
  })
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({
    ...{ status: 'released', released_subscription: id, subscription: null },
  })
})

test('a phase with another price, in the middle of a period, is prorated as it says', async () => {
  const dearer = await billing.price(2000)
  const { id, start, end, price } = await billing.subscription(1000)
  const half = start + (end - start) / 2
  const { id: schedule } = await world.stripe.subscriptionSchedules.create({ from_subscription: id })
  await world.stripe.subscriptionSchedules.update(schedule, {
    phases: [
      { items: [{ price: price.id, quantity: 1 }], start_date: start, end_date: half },
      { items: [{ price: dearer.id, quantity: 1 }], proration_behavior: 'always_invoice' },
    ],
  })
  await billing.advance({ to: half + 60 })

  const changed = await ofStripe().retrieve(id, { expand: ['latest_invoice'] })
  expect(changed.items.data).toMatchObject([{ price: { id: dearer.id }, current_period_end: end }])
  expect(changed.latest_invoice).toMatchObject({ amount_due: 500, status: 'paid' })
})

test('the end of a schedule that cancels is the end of its subscription', async () => {
  const { id, schedule, end } = await planned({ end_behavior: 'cancel' })
  const last = (await world.stripe.subscriptionSchedules.retrieve(schedule)).phases.at(-1)?.end_date ?? 0
  // Only the last phase says when it ends.
  expect(await ofStripe().retrieve(id)).toMatchObject({ cancel_at: null, canceled_at: null })
  await billing.advance({ to: end + 60 })
  expect(await ofStripe().retrieve(id)).toMatchObject({ status: 'active', cancel_at: last })
  await billing.advance({ to: last + 60 })

  expect(await ofStripe().retrieve(id)).toMatchObject({ status: 'canceled', ended_at: last })
  expect(await world.stripe.subscriptionSchedules.retrieve(schedule)).toMatchObject({ status: 'completed' })
  expect((await world.stripe.invoices.list({ subscription: id })).data).toHaveLength(2)
})

test('released, a subscription goes on as it is; an end that its schedule set is gone unless it is preserved', async () => {
  const { subscriptionSchedules } = world.stripe
  const lasting = await planned()
  await subscriptionSchedules.release(lasting.schedule, { preserve_cancel_date: true })
  expect(await ofStripe().retrieve(lasting.id)).toMatchObject({ schedule: null, cancel_at: null })
  await expect(subscriptionSchedules.release(lasting.schedule)).rejects.toMatchObject(refusal(/`released` status/))
  expect(await billing.events(lasting.schedule)).toEqual(
    expect.arrayContaining([
      'subscription_schedule.created',
      'subscription_schedule.updated',
      'subscription_schedule.released',
    ]),
  )

  const early = await planned({ end_behavior: 'cancel' })
  await subscriptionSchedules.release(early.schedule, { preserve_cancel_date: true })
  expect(await ofStripe().retrieve(early.id)).toMatchObject({ schedule: null, cancel_at: null })

  const [gone, kept] = [await planned({ end_behavior: 'cancel' }), await planned({ end_behavior: 'cancel' })]
  await billing.advance({ to: kept.end + 60 })
  await subscriptionSchedules.release(gone.schedule)
  expect(await ofStripe().retrieve(gone.id)).toMatchObject({ schedule: null, cancel_at: null })

  const { cancel_at, items } = await ofStripe().retrieve(kept.id)
  expect(cancel_at).toBeGreaterThan(kept.end)
  await subscriptionSchedules.release(kept.schedule, { preserve_cancel_date: true })
  expect(await ofStripe().retrieve(kept.id)).toMatchObject({ schedule: null, cancel_at })
  await ofStripe().update(kept.id, { cancel_at_period_end: true })
  expect(await ofStripe().retrieve(kept.id)).toMatchObject({
    ...{ cancel_at: items.data[0]?.current_period_end, cancel_at_period_end: true },
  })
})

test('phases follow each other without a gap, and begin with what there is', async () => {
  const old = await planned()
  const items = [{ price: old.price.id, quantity: 12 }]
  const current = { items, start_date: old.start, end_date: old.end }
  const wrong: Phase[][] = [
    [{ ...current, start_date: old.start + 1 }],
    [current, { items, start_date: old.end + 60, end_date: old.end + 120 }],
    [{ ...current, end_date: old.start }],
    [{ ...current, items: [{ price: old.price.id, quantity: 3 }] }],
  ]
  for (const phases of wrong) {
    await expect(world.stripe.subscriptionSchedules.update(old.schedule, { phases })).rejects.toMatchObject(
      refusal(/phase/),
    )
  }
})

test('what pays is set anew with each phase: by the phase, else by the schedule, else it is the customer’s default', async () => {
  const { subscriptionSchedules, subscriptions, paymentMethods } = world.stripe
  const { id, schedule, customer, end } = await planned()
  const { id: own } = await paymentMethods.attach('pm_card_mastercard', { customer })
  await subscriptions.update(id, { default_payment_method: own })
  await expect(
    subscriptionSchedules.update(schedule, { default_settings: { default_payment_method: 'pm_of_nobody' } }),
  ).rejects.toMatchObject(refusal(/No such PaymentMethod/))
  await billing.advance({ to: end + 60 })
  expect(await subscriptions.retrieve(id)).toMatchObject({ default_payment_method: null })

  const other = await planned()
  const { id: paying } = await paymentMethods.attach('pm_card_mastercard', { customer: other.customer })
  await subscriptionSchedules.update(other.schedule, { default_settings: { default_payment_method: paying } })
  expect(await subscriptions.retrieve(other.id)).toMatchObject({ default_payment_method: paying })
  await billing.advance({ to: other.end + 60 })
  expect(await subscriptions.retrieve(other.id)).toMatchObject({ default_payment_method: paying })

  const { id: phases } = await paymentMethods.attach('pm_card_amex', { customer: other.customer })
  const [, now] = (await subscriptionSchedules.retrieve(other.schedule)).phases
  const items = [{ price: other.price.id, quantity: 8 }]
  const dates = { start_date: now?.start_date ?? 0, end_date: now?.end_date ?? 0 }
  await subscriptionSchedules.update(other.schedule, {
    phases: [
      { items, ...dates },
      { items, default_payment_method: phases, duration: { interval: 'month' } },
    ],
  })
  expect(await subscriptions.retrieve(other.id)).toMatchObject({ default_payment_method: paying })
  await billing.advance({ to: dates.end_date + 60 })
  expect(await subscriptions.retrieve(other.id)).toMatchObject({ default_payment_method: phases })
})
