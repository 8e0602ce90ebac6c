import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { orders } from '../orders/orders.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * Marks the unpaid orders whose payment has failed, and unmarks those whose payment has not, or can no longer be made: a change waits for
 * it, or the provider
 * holds it back, or has written the invoice off, or the subscription has ended. What has ended, or was bought through a partner, is not
 * paid in My Orders either.
 * @param providerId of the subscription whose orders to mark; without it, those of all
 */
export async function markDueOrders(db: Db | Tx, providerId?: string): Promise<void> {
  const { dueAmount, dueUrl, status, isPriceHidden } = subscriptions
  const isDue = sql<boolean>`(${status} = 'past_due' and (${dueAmount} is not null or ${dueUrl} <> ''))`
  const isPaidElsewhere = sql<boolean>`(${status} = 'canceled' or ${isPriceHidden})`
  await db
    .update(orders)
    .set({ isDue, payUrl: sql`case when ${isPaidElsewhere} then '' else ${orders.payUrl} end` })
    .from(subscriptions)
    .where(
      and(
        eq(orders.providerSubscriptionId, subscriptions.providerId),
        inArray(orders.status, ['PD', 'OP']),
        or(ne(orders.isDue, isDue), and(isPaidElsewhere, ne(orders.payUrl, ''))),
        providerId === undefined ? undefined : eq(subscriptions.providerId, providerId),
      ),
    )
}
