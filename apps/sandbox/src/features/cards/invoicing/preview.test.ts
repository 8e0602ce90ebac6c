import fc from 'fast-check'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const money = ({ subtotal, total, amount_due, starting_balance, lines }: Stripe.Invoice) => ({
  subtotal,
  total,
  amount_due,
  starting_balance,
  lines: lines.data.map(({ amount, description, quantity, discount_amounts, taxes }) => ({
    amount,
    description,
    quantity,
    discounts: (discount_amounts ?? []).map((discount) => discount.amount),
    taxes: (taxes ?? []).map((tax) => tax.amount),
  })),
})

test('a preview equals the change that follows with the same proration date, to the cent', async () => {
  const { subscriptions, invoices } = world.stripe
  const monthly = await Promise.all([999, 1000, 2999, 12_345].map((amount) => billing.price(amount)))
  const yearly = await Promise.all(
    [9999, 25_000].map((amount) => billing.price(amount, { recurring: { interval: 'year' } })),
  )
  const inclusive = await billing.price(4711, { tax_behavior: 'inclusive' })
  const half = await world.stripe.coupons.create({ percent_off: 50, duration: 'once' })
  const some = await world.stripe.coupons.create({ amount_off: 777, currency: 'usd', duration: 'forever' })
  const price = fc.constantFrom(...monthly, ...yearly, inclusive).map(({ id }) => id)
  const coupons = fc.constantFrom<{ coupon: string }[]>([], [{ coupon: half.id }], [{ coupon: some.id }])
  const change = fc.record({
    price,
    quantity: fc.integer({ min: 1, max: 9 }),
    extra: fc.boolean(),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    behavior: fc.constantFrom('always_invoice' as const, 'create_prorations' as const),
    payment: fc.constantFrom('pending_if_incomplete' as const, 'allow_incomplete' as const),
  })

  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 1, maxLength: 3 }),
      coupons,
      fc.boolean(),
      async (changes, discounts, isTaxed) => {
        const { id: customer } = await billing.customer('pm_card_visa', { address: { country: 'DE' } })
        const first = await subscriptions.create({
          customer,
          items: [{ price: monthly[1]?.id ?? '' }],
          automatic_tax: { enabled: isTaxed },
          discounts,
        })
        for (const { extra, at, behavior, payment, ...given } of changes) {
          const now = await subscriptions.retrieve(first.id)
          const [item] = now.items.data
          const { current_period_start: start = 0, current_period_end: end = 0 } = item ?? {}
          const used = new Set(now.items.data.map((one) => one.price.id))
          const added = extra ? monthly.find(({ id }) => id !== given.price && !used.has(id)) : undefined
          if (now.items.data.some((one) => one.id !== item?.id && one.price.id === given.price)) continue
          const items = [{ id: item?.id ?? '', ...given }, ...(added ? [{ price: added.id }] : [])]
          const proration_date = Math.floor(start + (end - start) * at)
          const preview = await invoices.createPreview({
            subscription: first.id,
            subscription_details: { items, proration_date, proration_behavior: behavior },
          })
          const changed = await subscriptions.update(first.id, {
            items,
            proration_date,
            proration_behavior: behavior,
            payment_behavior: payment,
            expand: ['latest_invoice'],
          })
          const invoice = latestInvoice(changed)
          // Without an invoice at once, the preview shows the next renewal.
          const isInvoiced = invoice.id !== now.latest_invoice
          const follows = isInvoiced ? invoice : await invoices.createPreview({ subscription: first.id })
          expect(money(follows)).toEqual(money(preview))
          if (isInvoiced) {
            expect(invoice.amount_paid).toBe(invoice.amount_due)
            expect(invoice.amount_due + (invoice.ending_balance ?? 0)).toBe(invoice.total + invoice.starting_balance)
          }
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('a preview stores nothing', async () => {
  const { subscriptions, invoices, events } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id } = await subscriptions.create({ customer, items: [{ price }] })
  const before = (await events.list({ limit: 1 })).data[0]?.id
  const preview = await invoices.createPreview({
    subscription: id,
    subscription_details: { items: [{ price: (await billing.price(500)).id }] },
  })

  expect(preview.total).toBeGreaterThan(0)
  expect((await events.list({ type: 'invoice.*', limit: 1 })).data[0]?.type).toBe('invoice.payment_succeeded')
  expect((await events.list({ limit: 2 })).data.map((event) => event.type)).toContain('price.created')
  expect(before).toMatch(/^evt_/)
  expect((await invoices.list({ customer })).data).toHaveLength(1)
})

test('the lines of a preview are of the preview', async () => {
  const { id: subscription } = await billing.subscription(1000)
  const { id, lines } = await world.stripe.invoices.createPreview({ subscription })

  expect(id).toMatch(/^upcoming_in_/)
  expect(lines).toMatchObject({ url: `/v1/invoices/${id}/lines`, data: [{ invoice: id }] })
})

test('a preview of an end says that nothing comes', async () => {
  const { id } = await billing.subscription(3000)
  await world.stripe.subscriptions.update(id, { cancel_at_period_end: true })
  const refused = await world.refused(world.stripe.invoices.createPreview({ subscription: id }))
  expect(refused).toMatchObject({ statusCode: 404, code: 'invoice_upcoming_none' })
})

test('items of a preview are on it, and only there', async () => {
  const { subscriptions, invoices, invoiceItems } = world.stripe
  const { id: customer } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const { id } = await subscriptions.create({ customer, items: [{ price }] })
  const preview = await invoices.createPreview({
    subscription: id,
    invoice_items: [{ amount: -300, currency: 'usd', description: 'Discount' }],
  })

  expect(preview.total).toBe(700)
  expect((await invoiceItems.list({ customer })).data).toEqual([])
})
