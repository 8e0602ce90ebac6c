import type { products } from '../catalog/catalog.tables.ts'

type Price = (typeof products.$inferSelect)['prices'][number]

/** What is bought again: a product, and how much of it. */
export interface ShopItem {
  productCode: string
  product: { sku: string; prices: readonly Price[] }
  /** Null: not known. */
  term: Price['term'] | null
  /** Left out: not known. */
  userCount?: number
}

/** The license types of the shop's checkout (000 §2). */
const licenseTypes: Readonly<Record<Price['term'], string>> = {
  monthly: 'monthly',
  yearly: 'yearly',
  paid_monthly: 'monthly',
  paid_yearly: 'yearly',
  yearly_paid_monthly: 'yearly',
  perpetual: 'one-time',
}

/**
 * The parameters of the shop's checkout (000 §2), with the product itself (`appCode`), since a product line (`sku`) has several.
 * Undefined: the product is not sold.
 */
export function shopQuery({ productCode, product, term, userCount }: ShopItem): URLSearchParams | undefined {
  const { sku, prices } = product
  if (prices.length === 0) return undefined
  const isSold = term !== null && prices.some((price) => licenseTypes[price.term] === licenseTypes[term])
  return new URLSearchParams({
    ...{ sku, appCode: productCode },
    ...(isSold && { license: licenseTypes[term] }),
    ...(userCount && { buyNum: String(userCount) }),
  })
}
