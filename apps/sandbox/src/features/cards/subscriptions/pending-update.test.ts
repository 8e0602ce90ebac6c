import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

test('with pending_if_incomplete a declined upgrade waits, and is applied once it is paid', async () => {
  const { subscriptions, invoices } = world.stripe
  const old = await billing.subscription(1000)
  await billing.useCard(old.customer, 'pm_card_chargeCustomerFail')
  const { id: price } = await billing.price(2000)
  const waiting = await subscriptions.update(old.id, {
    items: [{ id: old.item.id, price }],
    proration_date: old.half,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    expand: ['latest_invoice'],
  })
  const invoice = latestInvoice(waiting)
  expect(waiting).toMatchObject({
    status: 'active',
    items: { data: [{ price: { id: old.price.id } }] },
    pending_update: { subscription_items: [{ price: { id: price } }], expires_at: expect.any(Number) },
  })
  expect(invoice).toMatchObject({ status: 'open', amount_due: 500 })

  const card = await billing.useCard(old.customer, 'pm_card_visa')
  await invoices.pay(invoice.id, { payment_method: card })
  expect(await subscriptions.retrieve(old.id)).toMatchObject({
    pending_update: null,
    items: { data: [{ price: { id: price } }] },
  })
  expect(await billing.events(old.id)).toContain('customer.subscription.pending_update_applied')
})

test('with pending_if_incomplete a change that costs nothing is applied at once', async () => {
  const { subscriptions } = world.stripe
  const old = await billing.subscription(1000)
  const { id: coupon } = await world.stripe.coupons.create({ amount_off: 100_000, currency: 'usd', duration: 'once' })
  const changed = await subscriptions.update(old.id, {
    items: [{ id: old.item.id, quantity: 3 }],
    discounts: [{ coupon }],
    proration_date: old.half,
    proration_behavior: 'always_invoice',
    payment_behavior: 'pending_if_incomplete',
    metadata: { operation: 'one' },
    expand: ['latest_invoice'],
  })
  expect(latestInvoice(changed)).toMatchObject({ status: 'paid', amount_due: 0 })
  expect(changed).toMatchObject({
    pending_update: null,
    items: { data: [{ quantity: 3 }] },
    metadata: { operation: 'one' },
  })
})

test('a pending update is dropped by a void, and by another update, which voids its invoice', async () => {
  const { subscriptions, invoices } = world.stripe
  const { id: price } = await billing.price(2000)
  const wait = async () => {
    const old = await billing.subscription(1000)
    await billing.useCard(old.customer, 'pm_card_chargeCustomerFail')
    const { latest_invoice } = await subscriptions.update(old.id, {
      items: [{ id: old.item.id, price }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    })
    return { ...old, invoice: String(latest_invoice) }
  }
  const one = await wait()
  expect((await invoices.voidInvoice(one.invoice)).status).toBe('void')
  expect(await subscriptions.retrieve(one.id)).toMatchObject({ pending_update: null, status: 'active' })

  const other = await wait()
  expect((await subscriptions.update(other.id, { metadata: { a: 'b' } })).pending_update).toBeNull()
  expect((await invoices.retrieve(other.invoice)).status).toBe('void')
})

test('only what can wait may be in a pending update', async () => {
  const old = await billing.subscription(1000)
  const refused = await world.refused(
    world.stripe.subscriptions.update(old.id, { description: 'x', payment_behavior: 'pending_if_incomplete' }),
  )
  expect(refused.message).toContain('you cannot pass `description`')
})

test('of two updates at once one is refused', async () => {
  const old = await billing.subscription(1000)
  const { id: price } = await billing.price(2000)
  const update = () =>
    world.stripe.subscriptions.update(old.id, {
      items: [{ id: old.item.id, price }],
      proration_behavior: 'always_invoice',
      proration_date: old.half,
    })
  const outcomes = await Promise.allSettled([update(), update()])

  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const rejected = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(rejected?.reason).toMatchObject({ statusCode: 429, code: 'lock_timeout' })
  expect((await world.stripe.invoices.list({ subscription: old.id })).data).toHaveLength(2)
})

test('of a pay and a void at once one wins, and the other is refused', async () => {
  const { invoices, subscriptions } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  for (let round = 0; round < 4; round += 1) {
    const made = await subscriptions.create({ customer, items: [{ price }], payment_behavior: 'default_incomplete' })
    const id = String(made.latest_invoice)
    const outcomes = await Promise.allSettled([invoices.pay(id), invoices.voidInvoice(id)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { status } = await invoices.retrieve(id)
    expect(status).toBe(outcomes[0].status === 'fulfilled' ? 'paid' : 'void')
    expect((await subscriptions.retrieve(made.id)).status).toBe(status === 'paid' ? 'active' : 'incomplete_expired')
  }
})

test('a change that was refused because of another one is done when it is sent again under its key', async () => {
  const old = await billing.subscription(1000)
  const change = (quantity: number, idempotencyKey: string) =>
    world.stripe.subscriptions.update(old.id, { items: [{ id: old.item.id, quantity }] }, { idempotencyKey })
  const keys = [`${old.id}-2`, `${old.id}-3`]
  const outcomes = await Promise.allSettled([change(2, keys[0] ?? ''), change(3, keys[1] ?? '')])
  const refused = outcomes.findIndex(({ status }) => status === 'rejected')

  expect((await change(refused + 2, keys[refused] ?? '')).items.data[0]?.quantity).toBe(refused + 2)
})
