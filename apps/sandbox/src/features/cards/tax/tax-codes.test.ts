import { expect, test } from 'vitest'
import { newBilling } from '../../../test/billing.ts'
import { newCardsWorld } from '../../../test/cards.ts'
import { ofFile } from '../../../test/of-file.ts'

const world = await ofFile(newCardsWorld())
const billing = newBilling(world)

const books = 'txcd_10302000'

/** A customer in Germany, and a price of a product with a rate of its own, the tax within. */
async function taxed() {
  const { id: customer } = await billing.customer('pm_card_visa', { address: { country: 'DE' } })
  const { id: product } = await world.stripe.products.create({ name: 'Handbook', tax_code: books })
  const price = { product, currency: 'eur', unit_amount: 10_700, tax_behavior: 'inclusive' as const }
  const { id: once } = await world.stripe.prices.create(price)
  return { customer, product, once }
}

const preview = async (line: object) => {
  const { customer, once } = await taxed()
  const { total, total_taxes: taxes } = await world.stripe.invoices.createPreview({
    ...{ customer, currency: 'eur', automatic_tax: { enabled: true } },
    invoice_items: [{ price: once }, { amount: -1070, currency: 'eur', ...line }],
  })
  return { total, taxes: taxes?.map(({ amount }) => amount) }
}

test('one country has two rates, by the tax code of the product', async () => {
  const { customer, once } = await taxed()
  const plain = await billing.oneTime(11_900, 'eur')
  await world.stripe.prices.update(plain.id, { tax_behavior: 'inclusive' })
  const { total_taxes: taxes } = await world.stripe.invoices.createPreview({
    ...{ customer, currency: 'eur', automatic_tax: { enabled: true } },
    invoice_items: [{ price: once }, { price: plain.id }],
  })
  expect(taxes?.map(({ amount, taxability_reason: reason }) => [amount, reason])).toEqual([
    [700, 'reduced_rated'],
    [1900, 'standard_rated'],
  ])
})

test('an added line has the behavior and the code that it names, and otherwise those of the account', async () => {
  expect(await preview({ tax_behavior: 'inclusive', tax_code: books })).toEqual({ total: 9630, taxes: [630] })
  expect(await preview({ tax_behavior: 'inclusive' })).toEqual({ total: 9630, taxes: [700, -171] })
  expect(await preview({})).toEqual({ total: 9427, taxes: [700, -203] })
})

test('an invoice item is taxed as its preview was', async () => {
  const { customer, once } = await taxed()
  const { id: invoice } = await world.stripe.invoices.create({
    ...{ customer, currency: 'eur', automatic_tax: { enabled: true } },
  })
  await world.stripe.invoices.addLines(invoice, { lines: [{ pricing: { price: once } }] })
  const credit = { amount: -1070, currency: 'eur', tax_behavior: 'inclusive', tax_code: books } as const
  await world.stripe.invoiceItems.create({ customer, invoice, ...credit })
  expect(await world.stripe.invoices.retrieve(invoice)).toMatchObject({ total: 9630, total_taxes: [{ amount: 630 }] })
  await expect(world.stripe.products.create({ name: 'x', tax_code: 'books' })).rejects.toMatchObject({
    message: expect.stringContaining('tax code'),
  })
})
