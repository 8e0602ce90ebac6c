import { randomUUID } from 'node:crypto'
import * as contract from '@atrium/contract/plan-changes.ts'
import { eq } from 'drizzle-orm'
import type Stripe from 'stripe'
import { expect, test } from 'vitest'
import { cardVendor } from '../../../test/card-billing.ts'
import { prepaidVendor } from '../../../test/prepaid-terms.ts'
import { sandboxOfFile } from '../../../test/sandbox-of-file.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { providerPrices } from '../../catalog/provider-prices.tables.ts'
import { coupons } from '../../coupons/coupons.tables.ts'
import { renewedTerm } from '../renewal/renewal-window.rules.ts'

const sandbox = await sandboxOfFile()

/** What is sold has another rate than the standard one in this country: 7 % and 19 %. */
const books = 'txcd_10302000'
const germany = { country: 'DE' }
const california = { country: 'US', state: 'CA', postal_code: '94107' }

interface Sold {
  code: string
  taxCode?: string
  taxBehavior: 'exclusive' | 'inclusive'
}

/** All prices of a product, as the vendor has set them in the provider's dashboard. */
async function setTax(
  { db }: Pick<Awaited<ReturnType<typeof cardVendor>>, 'db'>,
  { code, taxCode, taxBehavior }: Sold,
) {
  const { stripe } = sandbox
  const prices = await db.select().from(providerPrices).where(eq(providerPrices.productCode, code))
  for (const { id } of prices) {
    const { product } = await stripe.prices.update(id, { tax_behavior: taxBehavior })
    if (taxCode) await stripe.products.update(String(product), { tax_code: taxCode })
  }
}

/** @returns its code */
async function fortyOff({ db }: Pick<Awaited<ReturnType<typeof cardVendor>>, 'db'>): Promise<string> {
  const code = `C${randomUUID()}`.toUpperCase()
  const anybody = { products: [], terms: [], countries: [], maxUsesPerCustomer: 1 }
  await db.insert(coupons).values({ code, amountOff: 4000, currency: 'USD', ...anybody })
  return code
}

const taxOf = ({ total_taxes: taxes }: Stripe.Invoice) => (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0)

test.each([
  ['within the price', 'inclusive', undefined, california],
  ['within the price, at the rate of its product', 'inclusive', books, germany],
  ['on top, at the rate of its product', 'exclusive', books, germany],
] as const)(
  'a change with a coupon, the tax %s: shown, charged and invoiced are one',
  async (_where, taxBehavior, taxCode, address) => {
    await using world = await cardVendor(sandbox, { hasOwnCatalog: true })
    const { code } = world.product
    await setTax(world, { code, taxBehavior, ...(taxCode && { taxCode }) })
    await sandbox.stripe.customers.update(world.customerId, { address })
    const id = await world.buy({ term: 'yearly', quantity: 1, automatic_tax: { enabled: true } })
    const couponCode = await fortyOff(world)
    const asked = { type: 'buy-more', increasingNumber: 2 } as const
    const { quote } = (
      await world.as(world.buyer).send(contract.changePlanFrom, { body: { sid: id, ...asked, couponCode } })
    ).body
    const net = quote.subAmount
    expect(net).toBe(quote.lines.reduce((sum, { amount }) => sum + amount, 0) - 4000)
    const percent = address === california ? 7.25 : 7
    const tax = taxBehavior === 'inclusive' ? net - net / (1 + percent / 100) : (net * percent) / 100
    // Each line is rounded.
    expect(Math.abs(quote.taxAmount - tax)).toBeLessThanOrEqual(2)
    expect(quote.chargeAmount).toBe(taxBehavior === 'inclusive' ? net : net + quote.taxAmount)

    const body = { subscriptionId: id, ...asked, quoteId: quote.quoteId, couponCode: quote.couponCode }
    expect((await world.as(world.buyer).send(contract.changePlan, { body })).status).toBe(200)
    const [invoice] = (await sandbox.stripe.invoices.list({ subscription: id, limit: 1 })).data
    if (!invoice) throw new Error('no invoice')
    expect([invoice.amount_paid, taxOf(invoice)]).toEqual([quote.chargeAmount, quote.taxAmount])
  },
)

test.each([
  ['standard rate', undefined, california, 460],
  ['rate of its product', books, germany, 445],
] as const)(
  '108.00 with the tax within, and a coupon of 40.00: 68.00 is charged, at the %s',
  async (_rate, taxCode, address, tax) => {
    await using world = await prepaidVendor(sandbox, { settings: { STRIPE_AUTOMATIC_TAX: 'on' } })
    const { code } = world.prepaidProduct
    const prices = [{ term: renewedTerm, amount: 10_800, currency: 'USD' }]
    await world.db.update(products).set({ prices }).where(eq(products.code, code))
    await world.publish()
    await setTax(world, { code, taxBehavior: 'inclusive', ...(taxCode && { taxCode }) })
    await sandbox.stripe.customers.update(world.customerId, { address })
    const id = await world.term({ userCount: 1 })
    const couponCode = await fortyOff(world)
    const { quote } = (await world.quote(id, { couponCode })).body
    expect([quote.chargeAmount, quote.taxAmount, quote.discount]).toEqual([6800, tax, 4000])
    expect((await world.commit(id, { quoteId: quote.quoteId, couponCode: quote.couponCode })).status).toBe(200)
    const [invoice] = (await sandbox.stripe.invoices.list({ customer: world.customerId, limit: 1 })).data
    if (!invoice) throw new Error('no invoice')
    expect([invoice.amount_paid, taxOf(invoice)]).toEqual([6800, tax])
  },
)
