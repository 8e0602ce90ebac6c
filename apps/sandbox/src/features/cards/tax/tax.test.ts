import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { latestInvoice, newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

interface Taxed {
  address?: Stripe.AddressParam
  tax_exempt?: 'exempt' | 'none' | 'reverse'
  tax_behavior?: 'exclusive' | 'inclusive' | 'unspecified'
}

async function firstInvoice({ tax_behavior = 'exclusive', ...customer }: Taxed) {
  const { id } = await billing.customer('pm_card_visa', customer)
  const { id: price } = await billing.price(11_900, { tax_behavior })
  const made = await world.stripe.subscriptions.create({
    customer: id,
    items: [{ price }],
    automatic_tax: { enabled: true },
    expand: ['latest_invoice'],
  })
  return latestInvoice(made)
}

test('an exclusive price is taxed on top, an inclusive one within', async () => {
  const address = { country: 'DE' }
  expect(await firstInvoice({ address })).toMatchObject({
    automatic_tax: { enabled: true, status: 'complete' },
    subtotal: 11_900,
    total: 14_161,
    total_excluding_tax: 11_900,
    total_taxes: [
      { amount: 2261, tax_behavior: 'exclusive', taxable_amount: 11_900, taxability_reason: 'standard_rated' },
    ],
  })
  expect(await firstInvoice({ address, tax_behavior: 'inclusive' })).toMatchObject({
    subtotal: 11_900,
    subtotal_excluding_tax: 10_000,
    total: 11_900,
    total_excluding_tax: 10_000,
    total_taxes: [{ amount: 1900, tax_behavior: 'inclusive', taxable_amount: 10_000 }],
  })
})

test.each([
  ['FR', undefined, 2380],
  ['IT', undefined, 2618],
  ['ES', undefined, 2499],
  ['NL', undefined, 2499],
  ['GB', undefined, 2380],
  ['JP', undefined, 1190],
  ['BR', undefined, 0],
  ['US', 'CA', 863],
  ['US', 'OR', 0],
])('in %s %s the tax on 119.00 is %i', async (country, state, expected) => {
  const { total_taxes } = await firstInvoice({ address: { country, ...(state && { state }) } })
  expect(total_taxes?.[0]?.amount).toBe(expected)
})

test.each([
  ['exempt', 'customer_exempt'],
  ['reverse', 'reverse_charge'],
] as const)('a customer with %s pays no tax, because %s', async (tax_exempt, reason) => {
  const invoice = await firstInvoice({ address: { country: 'DE' }, tax_exempt })
  expect(invoice).toMatchObject({ total: 11_900, customer_tax_exempt: tax_exempt })
  expect(invoice.total_taxes).toMatchObject([{ amount: 0, taxability_reason: reason }])
})

test('without a usable address automatic tax is refused', async () => {
  const { customers, subscriptions } = world.stripe
  const { id } = await billing.customer()
  const { id: price } = await billing.price(1000)
  const create = () => subscriptions.create({ customer: id, items: [{ price }], automatic_tax: { enabled: true } })
  expect(await world.refused(create())).toMatchObject({ statusCode: 400, code: 'customer_tax_location_invalid' })

  await customers.update(id, { address: { country: 'DE' } })
  expect((await create()).status).toBe('active')
})

test('a credit gives back its tax', async () => {
  const { subscriptions, invoices } = world.stripe
  const { id: customer } = await billing.customer('pm_card_visa', { address: { country: 'DE' } })
  const { id: price } = await billing.price(10_000)
  const made = await subscriptions.create({ customer, items: [{ price }], automatic_tax: { enabled: true } })
  const [item] = made.items.data
  const preview = await invoices.createPreview({
    subscription: made.id,
    subscription_details: {
      items: [{ id: item?.id ?? '', quantity: 0 }],
      proration_date: item?.current_period_start ?? 0,
      proration_behavior: 'always_invoice',
    },
  })
  expect(preview).toMatchObject({ subtotal: -10_000, total: -11_900, total_taxes: [{ amount: -1900 }] })
})
