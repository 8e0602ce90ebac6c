import { plainLine } from '@atrium/contract/text.ts'
import type Stripe from 'stripe'
import type { LineTax } from './added-lines.ts'
import { callProvider } from './failure.ts'
import { wholeList } from './lists.ts'
import { minorUnits, providerAmount } from './minor-units.ts'

/** A price at the provider, with its product. */
export interface ProviderPrice {
  id: string
  productId: string
  productName: string
  /** The catalog's code, in the product's metadata; empty if the vendor's catalog did not create it. */
  productCode: string
  lookupKey: string
  /** The lookup key that it has, or had before another price took it; empty if it never had one that is known. */
  name: string
  isActive: boolean
  /** Minor units; null for prices that are not per unit. */
  amount: number | null
  /** ISO 4217, upper case. */
  currency: string
  /** Null: paid once. */
  interval: { unit: Stripe.Price.Recurring.Interval; count: number } | null
}

interface NewPrice {
  productId: string
  lookupKey: string
  amount: number
  currency: string
  /** Null: paid once. */
  interval: 'month' | 'year' | null
  /** The price that has the lookup key now. */
  replaces: string | undefined
}

/** What the vendor sells, at the card provider. */
export function priceCalls(stripe: Stripe) {
  return {
    /** A page of all prices, newest first. @param after id of the last price of the page before */
    async pricesAfter(after?: string): Promise<{ prices: ProviderPrice[]; hasMore: boolean }> {
      const page = { limit: 100, expand: ['data.product'], ...(after && { starting_after: after }) }
      const { data, has_more: hasMore } = await callProvider(() => stripe.prices.list(page))
      return { prices: data.map(priceFrom), hasMore }
    },

    /** How what is sold at a price is taxed. */
    async taxOfPrice(id: string): Promise<LineTax> {
      const price = await callProvider(() => stripe.prices.retrieve(id, { expand: ['product'] }))
      return { taxBehavior: taxBehaviorOf(price), taxCode: taxCodeOf(price.product) }
    },

    /** The product that a price is of. */
    async productOfPrice(id: string): Promise<string> {
      const { product } = await callProvider(() => stripe.prices.retrieve(id))
      return typeof product === 'string' ? product : product.id
    },

    /** Products by the catalog's code. */
    async productsByCode(): Promise<Map<string, string>> {
      const products = new Map<string, string>()
      const all = await wholeList((page) => stripe.products.list({ active: true, ...page }))
      for (const { id, metadata } of all) if (metadata.code) products.set(metadata.code, id)
      return products
    },

    /** The same product for the same code, also if it is called again after a lost answer. */
    async createProduct({ code, name }: { code: string; name: string }): Promise<string> {
      const create = () =>
        stripe.products.create({ name, metadata: { code } }, { idempotencyKey: `catalog product ${code} ${name}` })
      return (await callProvider(create)).id
    },

    /** Takes the lookup key from the price that had it, which stays for those who pay it. */
    async createPrice({ productId, lookupKey, amount, currency, interval, replaces }: NewPrice): Promise<string> {
      const wanted: Stripe.PriceCreateParams = {
        product: productId,
        lookup_key: lookupKey,
        transfer_lookup_key: true,
        // The key moves to the price that replaces this one; those who pay this one keep its term.
        metadata: { name: lookupKey },
        unit_amount: providerAmount(amount, currency),
        currency: currency.toLowerCase(),
        ...(interval && { recurring: { interval } }),
      }
      const key = `catalog price ${lookupKey} ${amount} ${replaces ?? productId}`
      return (await callProvider(() => stripe.prices.create(wanted, { idempotencyKey: key }))).id
    },
  }
}

const taxBehaviors = ['exclusive', 'inclusive'] as const

export function taxBehaviorOf({ tax_behavior: behavior }: Stripe.Price): LineTax['taxBehavior'] {
  return taxBehaviors.find((one) => one === behavior) ?? ''
}

/** @param product expanded */
export function taxCodeOf(product: Stripe.Price['product']): string {
  const code = typeof product === 'object' && 'tax_code' in product ? product.tax_code : null
  return (typeof code === 'object' ? code?.id : code) ?? ''
}

function priceFrom(price: Stripe.Price): ProviderPrice {
  const { id, product, recurring } = price
  const currency = price.currency.toUpperCase()
  const isWhole = typeof product === 'object' && !('deleted' in product && product.deleted)
  return {
    id,
    productId: typeof product === 'object' ? product.id : product,
    productName: isWhole && 'name' in product ? plainLine(product.name) : '',
    productCode: isWhole && 'metadata' in product ? (product.metadata.code ?? '') : '',
    lookupKey: price.lookup_key ?? '',
    name: price.lookup_key ?? price.metadata.name ?? '',
    isActive: price.active,
    amount: price.unit_amount === null ? null : minorUnits(price.unit_amount, currency),
    currency,
    interval: recurring && { unit: recurring.interval, count: recurring.interval_count },
  }
}
