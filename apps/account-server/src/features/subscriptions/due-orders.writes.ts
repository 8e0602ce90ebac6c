import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { orders } from '../orders/orders.tables.ts'
import { hasOpenOrder } from './due-orders.queries.ts'
import type { Projection } from './projection.rules.ts'
import { isInUse, wasDue } from './subscription-flags.rules.ts'
import { type SubscriptionRow, subscriptions } from './subscriptions.tables.ts'

/** An order whose payment failed while its subscription goes on. */
export interface DeclinedOrder {
  orderNumber: string
  subscriptionId: string
  /** When the provider asked for it. */
  date: Date
}

/**
 * Marks the unpaid orders whose payment has failed, and unmarks those whose payment has not, or can no longer be made: a change waits for
 * it, or the provider holds it back, or has written the invoice off, or the subscription has ended. What has ended, or was bought through
 * a partner, is not paid in My Orders either.
 * @param providerId of the subscription whose orders to mark; without it, those of all
 * @returns those that are due from now on beside the periods of a subscription that goes on
 */
export async function markDueOrders(db: Db | Tx, providerId?: string): Promise<DeclinedOrder[]> {
  const { dueAmount, dueUrl, status, isPriceHidden } = subscriptions
  const { isOfChange, payUrl } = orders
  const isPastDue = sql`(${status} = 'past_due' and (${dueAmount} is not null or ${dueUrl} <> ''))`
  // The provider declines an invoice beside the periods without calling the subscription past due.
  const isBeside = sql`(${status} in ('active', 'trialing') and ${orders.status} = 'PD' and ${payUrl} <> '' and not ${isOfChange})`
  const isDue = sql<boolean>`(${isPastDue} or (${isBeside} and not ${isPriceHidden}))`
  const isEnded = sql<boolean>`(${status} = 'canceled' and not ${isPriceHidden})`
  const isPaidElsewhere = sql<boolean>`(${status} = 'canceled' or ${isPriceHidden})`
  const marked = await db
    .update(orders)
    .set({ isDue, isEnded, payUrl: sql`case when ${isPaidElsewhere} then '' else ${payUrl} end` })
    .from(subscriptions)
    .where(
      and(
        eq(orders.providerSubscriptionId, subscriptions.providerId),
        inArray(orders.status, ['PD', 'OP']),
        or(ne(orders.isDue, isDue), ne(orders.isEnded, isEnded), and(isPaidElsewhere, ne(payUrl, ''))),
        providerId === undefined ? undefined : eq(subscriptions.providerId, providerId),
      ),
    )
    .returning({
      orderNumber: orders.orderNumber,
      date: orders.date,
      subscriptionId: subscriptions.id,
      isDeclined: sql<boolean>`${orders.isDue} and ${status} <> 'past_due'`,
    })
  return marked.flatMap(({ isDeclined, ...order }) => (isDeclined ? [order] : []))
}

/**
 * The provider calls a subscription active once its latest invoice is paid, whatever older ones are open. Until those are paid as well, it
 * keeps the day since when something was due, so that its Owner is told only then that nothing is.
 */
export async function withUnsettled(tx: Tx, before: SubscriptionRow, after: Projection): Promise<Projection> {
  if (!wasDue(before) || !isInUse(after) || before.providerId === null) return after
  return (await hasOpenOrder(tx, before.providerId)) ? { ...after, pastDueSince: before.pastDueSince } : after
}
