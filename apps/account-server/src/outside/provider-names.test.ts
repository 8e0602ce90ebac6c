import { expect, test } from 'vitest'
import { cardVendor } from '../test/card-billing.ts'
import { sandboxOfFile } from '../test/sandbox-of-file.ts'

const sandbox = await sandboxOfFile()

test('names and lines that the card provider gives lose marks that are not seen', async () => {
  await using world = await cardVendor(sandbox)
  const { cards } = world.deps
  const { stripe } = sandbox
  const product = await stripe.products.create({ name: 'Weird \u202etxt' })
  expect(await cards.productName(product.id)).toBe('Weird txt')

  const customer = world.customerId
  const { id } = await stripe.invoices.create({
    customer,
    collection_method: 'charge_automatically',
    auto_advance: false,
  })
  await stripe.invoiceItems.create({
    customer,
    invoice: id ?? '',
    amount: 100,
    currency: 'usd',
    description: 'One\u200b \u202eline',
  })
  expect((await cards.readInvoice(id ?? '')).lines.map(({ text }) => text)).toEqual(['One line'])
})
