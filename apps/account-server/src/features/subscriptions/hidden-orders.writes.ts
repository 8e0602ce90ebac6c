import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { orders } from '../orders/orders.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * Marks the orders of what was bought through a partner, whose amounts are then shown nowhere, and unmarks the others.
 * @param ids of the subscriptions whose orders to mark; without them, those of all
 */
export async function markHiddenOrders(db: Db | Tx, ids?: readonly string[]): Promise<void> {
  const { id, providerId, isPriceHidden } = subscriptions
  await db
    .update(orders)
    .set({ isPriceHidden })
    .from(subscriptions)
    .where(
      and(
        eq(orders.providerSubscriptionId, providerId),
        ne(orders.isPriceHidden, isPriceHidden),
        ids && inArray(id, ids),
      ),
    )
}
