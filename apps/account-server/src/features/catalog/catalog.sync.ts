import type { Db } from '@atrium/server-kit/database.ts'
import type { CardProvider } from '../../outside/card-provider/card-provider.ts'
import type { ProviderPrice } from '../../outside/card-provider/prices.ts'
import { catalog, termsOf } from './catalog.queries.ts'
import { intervals, lookupKeyOf, pricesToSell, termOf } from './provider-prices.rules.ts'
import { replacePrices } from './provider-prices.writes.ts'

interface SyncDeps {
  db: Db
  cards: Pick<CardProvider, 'pricesAfter' | 'productsByCode' | 'createProduct' | 'createPrice'>
  /** Says what was done, or could not be matched. */
  say(sentence: string): void
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

  for (const { wanted, name, code } of products.map((product) => ({ ...product, wanted: pricesToSell(product) }))) {
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
  const known = await termsOf(db, 'card')
  const rows = matched.map((price) => {
    const { id, productId, productCode, amount, currency } = price
    const term = termOf(price, known.get(id))
    const ownKey = term && lookupKeyOf({ code: productCode, term, currency })
    const isCurrent = price.isActive && price.lookupKey === ownKey
    return { id, provider: 'card' as const, productId, productCode, term, amount, currency, isCurrent }
  })
  await db.transaction((tx) => replacePrices(tx, 'card', rows))
  return prices.filter(({ isActive }) => isActive).length - matched.filter(({ isActive }) => isActive).length
}
