import type { Tx } from '@atrium/server-kit/database.ts'
import { products } from './catalog.tables.ts'

/** A product that only the provider has, under the provider's id, so that subscriptions to it can be shown by name. */
export async function addForeignProduct(tx: Tx, { id, name }: { id: string; name: string }): Promise<void> {
  const row = {
    code: id,
    name,
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
  await tx.insert(products).values(row).onConflictDoNothing()
}
