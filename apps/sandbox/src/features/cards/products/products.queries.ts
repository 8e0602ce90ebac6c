import type { Reader } from '@atrium/server-kit/database.ts'
import { and, count, eq } from 'drizzle-orm'
import { cardObjects } from '../store/cards.tables.ts'

/** How many prices a product has. */
export async function pricesOf(tx: Reader, product: string): Promise<number> {
  const [row] = await tx
    .select({ prices: count() })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, 'price'), eq(cardObjects.product, product)))
  return row?.prices ?? 0
}
