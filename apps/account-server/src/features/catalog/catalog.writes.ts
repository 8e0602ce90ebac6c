import type { Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { products } from './catalog.tables.ts'

/** A product that only the provider has, under the provider's id, so that subscriptions to it can be shown by name, or, without one, by that id. */
export async function addForeignProduct(tx: Tx, { id, name }: { id: string; name: string }): Promise<void> {
  const row = {
    code: id,
    name: name || id,
    sku: id,
    position: 1_000_000,
    prices: [],
    cap: { cap: 999, scope: 'subscription' as const },
    flags: [],
    upgrades: [],
    downloads: [],
    integrations: [],
    isForeign: true,
  }
  const isUnnamed = sql`${products.isForeign} and ${products.name} = ''`
  await tx
    .insert(products)
    .values(row)
    .onConflictDoUpdate({ target: products.code, set: { name: row.name }, setWhere: isUnnamed })
}
