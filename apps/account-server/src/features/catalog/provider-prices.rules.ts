import { type BillingTerm, billingTerms } from '@atrium/contract/subscriptions.ts'
import type { ProviderPrice } from '../../outside/card-provider/prices.ts'
import type { products } from './catalog.tables.ts'

type ProductRow = typeof products.$inferSelect

/** How the card provider bills a term; null: paid once, since a prepaid term does not renew. */
export const intervals: Readonly<Record<BillingTerm, 'month' | 'year' | null>> = {
  monthly: 'month',
  yearly: 'year',
  paid_monthly: null,
  paid_yearly: null,
  yearly_paid_monthly: 'month',
}

/** The name of a price at the card provider: `{code}-{term}-{currency}`. */
export function lookupKeyOf(price: { code: string; term: BillingTerm; currency: string }): string {
  return `${price.code}-${price.term}-${price.currency}`.toLowerCase()
}

/** The product and term that a price is named after; undefined: it is the vendor's own. */
export function priceNamed(
  lookupKey: string,
  products: readonly Pick<ProductRow, 'code'>[],
): { productCode: string; term: BillingTerm } | undefined {
  for (const { code: productCode } of products) {
    const term = billingTerms.find((one) => {
      const start = `${productCode}-${one}-`.toLowerCase()
      return lookupKey.startsWith(start) && /^[a-z]{3}$/.test(lookupKey.slice(start.length))
    })
    if (term) return { productCode, term }
  }
  return undefined
}

/**
 * The term of a price: from the lookup key that it is or was named by, else what is known of it, else, for prices that the vendor
 * had before, from its interval.
 */
export function termOf(
  { name, interval }: Pick<ProviderPrice, 'name' | 'interval'>,
  known: BillingTerm | null = null,
): BillingTerm | null {
  const named = billingTerms.find((term) => new RegExp(`-${term}-[a-z]{3}$`).test(name)) ?? known
  if (named) return named
  if (interval?.count !== 1) return null
  if (interval.unit === 'month') return 'monthly'
  return interval.unit === 'year' ? 'yearly' : null
}

interface SoldPrice {
  code: string
  name: string
  term: BillingTerm
  /** Minor units. */
  amount: number
  currency: string
}

/** What is billed for a term; perpetual licenses are sold once, by the shop. */
export function pricesToSell({ code, name, prices }: Pick<ProductRow, 'code' | 'name' | 'prices'>): SoldPrice[] {
  return prices.flatMap(({ term, amount, currency }) => {
    const billed = billingTerms.find((one) => one === term)
    return billed ? [{ code, name, term: billed, amount, currency }] : []
  })
}

/**
 * Products between which a customer can upgrade, by code: PayPal revises a subscription only between plans of one product.
 * A family is named after the first of its codes.
 */
export function upgradeFamilies(products: readonly Pick<ProductRow, 'code' | 'upgrades'>[]): Map<string, string> {
  const families = new Map(products.map(({ code }) => [code, code]))
  const familyOf = (code: string) => families.get(code) ?? code
  for (const { code, upgrades } of products) {
    for (const other of upgrades.filter((upgrade) => families.has(upgrade))) {
      const [first = '', second = ''] = [familyOf(code), familyOf(other)].sort()
      for (const [member, family] of families) if (family === second) families.set(member, first)
    }
  }
  return families
}
