import { type BillingTerm, billingTerms } from '@atrium/contract/subscriptions.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, notInArray } from 'drizzle-orm'
import { excluded } from '../../db/importer.ts'
import type { CardProvider } from '../../outside/card-provider/card-provider.ts'
import type { ProviderPrice } from '../../outside/card-provider/prices.ts'
import { catalog } from './catalog.queries.ts'
import { intervals, lookupKeyOf, termOf } from './provider-prices.rules.ts'
import { providerPrices } from './provider-prices.tables.ts'

interface SyncDeps {
  db: Db
  cards: Pick<CardProvider, 'pricesAfter' | 'productsByCode' | 'createProduct' | 'createPrice'>
  /** Says what was done, or could not be matched. */
  say(sentence: string): void
}

interface Wanted {
  code: string
  name: string
  term: BillingTerm
  amount: number
  currency: string
}

/**
 * Creates at the card provider what the catalog has and the provider has not, and stores which price is which. It may be
 * interrupted and run again: what is there already is found by code and lookup key.
 * @returns how much was created, and how many prices of the provider no product of the catalog matches
 */
export async function syncCatalog({ db, cards, say }: SyncDeps) {
  const products = await catalog(db)
  const productIds = await cards.productsByCode()
  const there = await allPrices(cards)
  const known = new Map(there.filter(({ isActive }) => isActive).map((price) => [price.lookupKey, price]))
  const created = { products: 0, prices: 0 }

  for (const { wanted, name, code } of products.map((product) => ({ ...product, wanted: wantedOf(product) }))) {
    if (wanted.length === 0) continue
    const productId = productIds.get(code) ?? (await cards.createProduct({ code, name }))
    if (!productIds.has(code)) created.products += 1
    productIds.set(code, productId)
    for (const one of wanted) {
      const lookupKey = lookupKeyOf(one)
      const before = known.get(lookupKey)
      if (before?.amount === one.amount && before.productId === productId) continue
      const { amount, currency, term } = one
      const interval = intervals[term]
      await cards.createPrice({ productId, lookupKey, amount, currency, interval, replaces: before?.id })
      created.prices += 1
      say(
        `${lookupKey}: ${before ? `now ${amount}, and ${before.amount ?? 'no amount'} for those who pay it` : 'created'}`,
      )
    }
  }

  const unknown = await storePrices({ db, say }, await allPrices(cards), new Set(products.map(({ code }) => code)))
  return { ...created, unknown }
}

/** What is billed for a term; perpetual licenses are sold once, by the shop. */
function wantedOf({ code, name, prices }: Awaited<ReturnType<typeof catalog>>[number]): Wanted[] {
  return prices.flatMap(({ term, amount, currency }) => {
    const billed = billingTerms.find((one) => one === term)
    return billed ? [{ code, name, term: billed, amount, currency }] : []
  })
}

async function allPrices(cards: SyncDeps['cards']): Promise<ProviderPrice[]> {
  const all: ProviderPrice[] = []
  for (;;) {
    const { prices, hasMore } = await cards.pricesAfter(all.at(-1)?.id)
    all.push(...prices)
    if (!hasMore) return all
  }
}

async function storePrices(
  { db, say }: Pick<SyncDeps, 'db' | 'say'>,
  prices: readonly ProviderPrice[],
  codes: ReadonlySet<string>,
): Promise<number> {
  const matched = prices.filter(({ productCode }) => codes.has(productCode))
  for (const { id, productName, productId } of prices.filter((price) => price.isActive && !matched.includes(price))) {
    say(`${id} of ${productName || productId}: no product of the catalog has its code`)
  }
  const rows = matched.map((price) => {
    const { id, productId, productCode, amount, currency } = price
    const term = termOf(price)
    const ownKey = term && lookupKeyOf({ code: productCode, term, currency })
    const isCurrent = price.isActive && price.lookupKey === ownKey
    return { id, provider: 'card' as const, productId, productCode, term, amount, currency, isCurrent }
  })
  await db.transaction((tx) => writePrices(tx, rows))
  return prices.filter(({ isActive }) => isActive).length - matched.filter(({ isActive }) => isActive).length
}

async function writePrices(tx: Tx, rows: (typeof providerPrices.$inferInsert)[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  // First, since only one price may be the current one.
  await tx.update(providerPrices).set({ isCurrent: false }).where(eq(providerPrices.provider, 'card'))
  await tx.delete(providerPrices).where(and(eq(providerPrices.provider, 'card'), notInArray(providerPrices.id, ids)))
  if (rows.length === 0) return
  const set = excluded(providerPrices, ['productId', 'productCode', 'term', 'amount', 'currency', 'isCurrent'])
  await tx.insert(providerPrices).values(rows).onConflictDoUpdate({ target: providerPrices.id, set })
}
