import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, notInArray } from 'drizzle-orm'
import { providerPrices } from './provider-prices.tables.ts'

type Row = typeof providerPrices.$inferInsert

/** Replaces what is known of a provider's prices by what it has now. */
export async function replacePrices(tx: Tx, provider: Row['provider'], rows: Row[]): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const isOfProvider = eq(providerPrices.provider, provider)
  // First, since only one price may be the current one.
  await tx.update(providerPrices).set({ isCurrent: false }).where(isOfProvider)
  await tx.delete(providerPrices).where(and(isOfProvider, notInArray(providerPrices.id, ids)))
  if (rows.length === 0) return
  const set = excluded(providerPrices, ['productId', 'productCode', 'term', 'amount', 'currency', 'isCurrent'])
  await tx.insert(providerPrices).values(rows).onConflictDoUpdate({ target: providerPrices.id, set })
}
