import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, ne, sql } from 'drizzle-orm'
import { orders } from '../orders/orders.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * Marks the pending orders whose payment is due, and unmarks those whose payment is not, or can no longer be made: the provider
 * holds it back, or has written the invoice off, or the subscription has ended.
 * @param providerId of the subscription whose orders to mark; without it, those of all
 */
export async function markDueOrders(db: Db | Tx, providerId?: string): Promise<void> {
  const { dueAmount, dueUrl } = subscriptions
  const isDue = sql<boolean>`(${dueAmount} is not null or ${dueUrl} <> '')`
  await db
    .update(orders)
    .set({ isDue })
    .from(subscriptions)
    .where(
      and(
        eq(orders.providerSubscriptionId, subscriptions.providerId),
        eq(orders.status, 'PD'),
        ne(orders.isDue, isDue),
        providerId === undefined ? undefined : eq(subscriptions.providerId, providerId),
      ),
    )
}
