import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'
import { boundary } from '../money/periods.rules.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const day = 86_400

/** Five seats at 10.00, free until an anchor that is ten days away. */
async function freeUntilAnchor(more: Partial<Stripe.SubscriptionCreateParams> = {}) {
  const [{ id: customer }, { id: price }, now] = await Promise.all([
    billing.customer(),
    billing.price(1000),
    billing.now(),
  ])
  const anchor = now + 10 * day
  const { id, items } = await world.stripe.subscriptions.create({
    customer,
    items: [{ price, quantity: 5 }],
    billing_cycle_anchor: anchor,
    proration_behavior: 'none',
    ...more,
  })
  const begin = boundary(anchor, { interval: 'month', interval_count: 1 }, -1)
  return { id, item: items.data[0]?.id ?? '', price, anchor, month: anchor - begin }
}

const facts = ({ lines }: Stripe.Invoice) => lines.data.map(({ amount, quantity }) => [amount, quantity])

test('what changes in a free time before the first charge costs its part of a whole month, without a credit', async () => {
  const { id, item, anchor, month } = await freeUntilAnchor()
  const at = anchor - 6 * day
  const changed = await world.stripe.invoices.createPreview({
    subscription: id,
    subscription_details: {
      items: [{ id: item, quantity: 7 }],
      proration_behavior: 'always_invoice',
      proration_date: at,
    },
  })
  expect(facts(changed)).toEqual([[Math.round((7000 * 6 * day) / month), 7]])
})

test('what was charged for the time until the first charge is credited, whatever the month costs', async () => {
  const { id, item, anchor, month } = await freeUntilAnchor({ proration_behavior: 'create_prorations' })
  const [first] = (await world.stripe.invoices.list({ subscription: id })).data
  const paid = first?.amount_paid ?? 0
  const [line] = first?.lines.data ?? []
  const since = line?.period.start ?? 0
  expect(paid).toBe(Math.round((5000 * (anchor - since)) / month))
  const changed = await world.stripe.invoices.createPreview({
    subscription: id,
    subscription_details: {
      items: [{ id: item, quantity: 7 }],
      proration_behavior: 'always_invoice',
      proration_date: anchor - 6 * day,
    },
  })
  expect(facts(changed)).toEqual([
    [-Math.round((paid * 6 * day) / (anchor - since)), 5],
    [Math.round((7000 * 6 * day) / month), 7],
  ])
})

test('an added item has the period that it names, or the one that all items share', async () => {
  const { id, item, anchor } = await freeUntilAnchor()
  const { id: product } = await world.stripe.products.create({ name: 'Folio Editor' })
  const price_data = { currency: 'usd', product, unit_amount: -300 }
  const timestamp = anchor - 6 * day
  const { items, latest_invoice } = await world.stripe.subscriptions.update(id, {
    items: [{ id: item, quantity: 7 }],
    proration_behavior: 'always_invoice',
    add_invoice_items: [
      { price_data },
      {
        price_data,
        period: { start: { type: 'timestamp', timestamp }, end: { type: 'min_item_period_end' } },
        metadata: { paid: 'before' },
      },
    ],
  })
  const { data } = await world.stripe.invoices.listLineItems(String(latest_invoice))
  const added = data.filter(({ amount }) => amount < 0)
  expect(added.map(({ period, metadata }) => [period, metadata])).toEqual([
    [{ start: items.data[0]?.current_period_start, end: anchor }, {}],
    [{ start: timestamp, end: anchor }, { paid: 'before' }],
  ])
  const backwards = { start: { type: 'timestamp', timestamp: anchor }, end: { type: 'timestamp', timestamp } } as const
  await expect(
    world.stripe.subscriptions.update(id, {
      items: [{ id: item, quantity: 8 }],
      add_invoice_items: [{ price_data, period: backwards }],
    }),
  ).rejects.toThrow('must end after it starts')
})
