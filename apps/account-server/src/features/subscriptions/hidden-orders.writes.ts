import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { dropArchives } from '../archives/archives.writes.ts'
import { orders } from '../orders/orders.tables.ts'
import { movedObjects } from './moving/moved-objects.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * Marks the orders of what was bought through a partner, whose amounts are then shown nowhere, and unmarks the others; those of what
 * stood for a subscription before a transfer, too.
 * @param ids of the subscriptions whose orders to mark; without them, those of all
 */
export async function markHiddenOrders(db: Db | Tx, ids?: readonly string[]): Promise<void> {
  const { id, providerId, isPriceHidden } = subscriptions
  const { providerSubscriptionId: billed } = orders
  const isMoved = sql`exists (select from ${movedObjects}
    where ${movedObjects.subscriptionId} = ${id} and ${movedObjects.providerId} = ${billed})`
  const changed = await db
    .update(orders)
    .set({ isPriceHidden })
    .from(subscriptions)
    .where(and(or(eq(billed, providerId), isMoved), ne(orders.isPriceHidden, isPriceHidden), ids && inArray(id, ids)))
    .returning({ memberId: orders.memberId, isPriceHidden: orders.isPriceHidden })
  const hidden = changed.filter((order) => order.isPriceHidden)
  // What was packed before shows them.
  await dropArchives(db, [...new Set(hidden.map(({ memberId }) => memberId))])
}
