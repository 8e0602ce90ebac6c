import { prepared, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { products } from './catalog.tables.ts'
import type { BilledProduct, NamedProduct } from './line-products.rules.ts'
import { providerPrices } from './provider-prices.tables.ts'

/** The whole catalog in the vendor's order: names, prices, caps, flags, downloads, integrations. */
export function catalog(db: Reader) {
  return allProducts(db).execute()
}

export async function productByCode(db: Reader, code: string) {
  const [product] = await oneProduct(db).execute({ code })
  return product
}

export async function productCodes(db: Reader): Promise<ReadonlySet<string>> {
  return new Set((await allProducts(db).execute()).map(({ code }) => code))
}

/** What prices of a provider stand for, by id. */
export async function knownPrices(db: Reader, ids: readonly string[]) {
  const rows = await db
    .select({
      id: providerPrices.id,
      productCode: providerPrices.productCode,
      term: providerPrices.term,
      amount: providerPrices.amount,
      currency: providerPrices.currency,
      flags: products.flags,
    })
    .from(providerPrices)
    .innerJoin(products, eq(products.code, providerPrices.productCode))
    .where(inArray(providerPrices.id, [...ids]))
  return new Map(rows.map((row) => [row.id, row]))
}

/** What one unit costs of each plan that a provider's product has, now or until the catalog was changed, in the currency of one of them. */
export async function pricesBeside(db: Reader, planId: string): Promise<number[]> {
  const asked = alias(providerPrices, 'asked')
  const { provider, productId, currency, amount } = providerPrices
  const isBeside = and(eq(asked.provider, provider), eq(asked.productId, productId), eq(asked.currency, currency))
  const rows = await db.select({ amount }).from(providerPrices).innerJoin(asked, isBeside).where(eq(asked.id, planId))
  return rows.flatMap((row) => (row.amount === null ? [] : [row.amount]))
}

/** At which prices the vendor sells now, at one of the providers. */
export function soldPrices(db: Reader, provider: 'card' | 'paypal') {
  return currentPrices(db).execute({ provider })
}

/** The product of each price of a provider, by the price's id. */
export async function productsOfPrices(db: Reader, ids: readonly string[]) {
  const rows = await db
    .select({ id: providerPrices.id, code: products.code, name: products.name })
    .from(providerPrices)
    .innerJoin(products, eq(products.code, providerPrices.productCode))
    .where(inArray(providerPrices.id, [...new Set(ids)]))
  return new Map(rows.map(({ id, ...product }) => [id, product]))
}

/**
 * Products of what a provider bills: by the id of its price, and by what else names one for a line that says nothing itself: the card
 * provider's product, or what was added under the provider's id.
 */
export async function productsOfLines(db: Reader, lines: readonly BilledProduct[]): Promise<Map<string, NamedProduct>> {
  const ids = [...new Set(lines.flatMap(({ priceId, productId }) => [priceId, productId]).filter(Boolean))]
  const { code, name, isForeign } = products
  const [foreign, sold, priced] = await Promise.all([
    db
      .select({ id: code, code, name })
      .from(products)
      .where(and(inArray(code, ids), isForeign)),
    db
      .select({ id: providerPrices.productId, code, name })
      .from(providerPrices)
      .innerJoin(products, eq(code, providerPrices.productCode))
      .where(and(inArray(providerPrices.productId, ids), eq(providerPrices.provider, 'card')))
      .orderBy(asc(providerPrices.isCurrent), asc(providerPrices.id)),
    productsOfPrices(db, ids),
  ])
  const byProduct = [...foreign, ...sold].map(({ id, ...product }) => [id, product] as const)
  return new Map([...byProduct, ...priced])
}

const allProducts = prepared('catalog_all', (db, name) =>
  db
    .select()
    .from(products)
    .where(eq(products.isForeign, false))
    .orderBy(asc(products.position), asc(products.code))
    .prepare(name),
)

const oneProduct = prepared('catalog_by_code', (db, name) =>
  db
    .select()
    .from(products)
    .where(eq(products.code, sql.placeholder('code')))
    .prepare(name),
)

const currentPrices = prepared('catalog_prices', (db, name) =>
  db
    .select({
      id: providerPrices.id,
      productCode: providerPrices.productCode,
      term: providerPrices.term,
      amount: providerPrices.amount,
      currency: providerPrices.currency,
    })
    .from(providerPrices)
    .where(and(eq(providerPrices.provider, sql.placeholder('provider')), eq(providerPrices.isCurrent, true)))
    .prepare(name),
)

/** The terms of a provider's prices, by id: those that a changed price left without a lookup key, too. */
export async function termsOf(db: Reader, provider: 'card' | 'paypal') {
  const { id, term } = providerPrices
  const rows = await db.select({ id, term }).from(providerPrices).where(eq(providerPrices.provider, provider))
  return new Map(rows.map((row) => [row.id, row.term]))
}
