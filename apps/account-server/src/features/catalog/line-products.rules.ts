import type { BilledLine } from '../../outside/billed-invoice.ts'

/** A product as a line of an order or of a quote names it. */
export interface NamedProduct {
  code: string
  name: string
}

/** What a provider says about which product it bills. */
export type BilledProduct = Pick<BilledLine, 'priceId' | 'productId'>

/**
 * The product that a line is for: of a known price, or, where the provider has no words for the line, of what else names one.
 * @param products by the provider's ids: `productsOfLines`
 */
export function productOfLine(
  { text, priceId, productId }: BilledProduct & Pick<BilledLine, 'text'>,
  products: ReadonlyMap<string, NamedProduct>,
): NamedProduct | undefined {
  const isNamed = text !== ''
  return products.get(priceId) ?? (isNamed ? undefined : products.get(productId))
}
