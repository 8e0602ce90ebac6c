import { randomUUID } from 'node:crypto'
import { and, eq, notInArray } from 'drizzle-orm'
import type Stripe from 'stripe'
import { payments } from '../app.ts'
import { syncCatalog } from '../features/catalog/catalog.sync.ts'
import { providerPrices } from '../features/catalog/provider-prices.tables.ts'
import { linkCustomers } from '../features/payments/customers/customers.writes.ts'
import { handleEvent } from '../features/payments/payments.jobs.ts'
import { newProduct } from './factories.ts'
import type { Sandbox } from './sandbox.ts'
import { newWorld } from './world.ts'

export const soldIn = ['USD', 'EUR', 'JPY', 'KWD'] as const
export const taxedAs = ['exclusive', 'inclusive', 'as the account says'] as const

/** In Germany and France it has another rate than the standard one. */
const books = 'txcd_10302000'

/** Minor units, for a month and a year; the provider takes dinars only with a zero at the end. */
const amounts = { USD: [1033, 10_999], EUR: [999, 9949], JPY: [1537, 15_301], KWD: [3330, 33_310] } as const

function prices(factor: number) {
  return soldIn.flatMap((currency) =>
    (['monthly', 'yearly'] as const).map((term, place) => {
      const tens = Math.round((amounts[currency][place] ?? 0) * (factor / 10)) * 10
      return { term, currency, amount: currency === 'KWD' ? tens : tens + 3 }
    }),
  )
}

/**
 * A vendor who sells in four currencies with and without decimals, each with the tax within the price, on top and as the account says.
 * What there is has another rate of tax than what it is upgraded to.
 */
export async function worldwideVendor(sandbox: Sandbox) {
  const { stripe } = sandbox
  const world = await newWorld({ settings: sandbox.settings, now: new Date().toISOString() })
  const { db, cards } = world.deps
  const connector = await newProduct(world, { flags: ['connector'], position: -1, prices: prices(0.4) })
  const other = await newProduct(world, { prices: prices(0.7) })
  const codes = new Map<string, string>()
  for (const tax of taxedAs) {
    const { code: upgrade } = await newProduct(world, { prices: prices(1.5) })
    const { code } = await newProduct(world, { prices: prices(1), upgrades: [upgrade], flags: ['connectable'] })
    codes.set(code, tax).set(upgrade, tax)
  }
  await syncCatalog({ db, cards, say: () => undefined })
  const { productCode } = providerPrices
  const taxed = await db
    .select()
    .from(providerPrices)
    .where(and(notInArray(productCode, [connector.code, other.code])))
  const basic = [...codes.keys()].filter((_code, place) => place % 2 === 0)
  for (const { id, productId, productCode: code } of taxed) {
    const tax_behavior = codes.get(code)
    if (tax_behavior === 'exclusive' || tax_behavior === 'inclusive') await stripe.prices.update(id, { tax_behavior })
    if (basic.includes(code)) await stripe.products.update(productId, { tax_code: books })
  }
  const codeOf = (tax: (typeof taxedAs)[number]) => basic[taxedAs.indexOf(tax)] ?? ''

  return {
    ...world,
    ...{ codeOf, connectorCode: connector.code, otherCode: other.code },
    /** An item of a subscription at the provider. */
    async item(code: string, { term, currency }: { term: 'monthly' | 'yearly'; currency: string }, quantity: number) {
      const isIt = and(eq(productCode, code), eq(providerPrices.term, term), eq(providerPrices.currency, currency))
      const [price] = await db.select().from(providerPrices).where(isIt)
      return { price: price?.id ?? '', quantity }
    },
    /** A member with a customer of the provider and a card there. */
    async customer(address: Stripe.AddressParam) {
      const member = await world.member()
      const { id } = await stripe.customers.create({ email: member.email, address, metadata: { memberId: member.id } })
      const { id: card } = await stripe.paymentMethods.attach('pm_card_visa', { customer: id })
      await stripe.customers.update(id, { invoice_settings: { default_payment_method: card } })
      const link = { customerId: id, memberId: member.id, proof: 'ours' } as const
      await db.transaction((tx) => linkCustomers(tx, [link], world.deps.clock()))
      return { member, customerId: id }
    },
    hear: (objectType: 'subscription' | 'invoice', objectId: string) =>
      handleEvent(world.deps, payments.syncs, { provider: 'card', objectType, objectId }),
    /** A discount of the provider's own that lasts. @returns its id there */
    async lastingCoupon(off: { percent_off: number } | { amount_off: number; currency: string }): Promise<string> {
      return (await stripe.coupons.create({ id: randomUUID(), duration: 'forever', ...off })).id
    },
  }
}
