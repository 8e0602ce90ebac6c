import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, ne, type SQL, sql } from 'drizzle-orm'
import type { DeclinedPayment } from '../../outside/billed-invoice.ts'
import { orders } from '../orders/orders.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** An unpaid invoice of a subscription, as My Orders shows it. */
export interface DueOrder {
  orderNumber: string
  /** What it is for, as it was called when it was billed: its first line. */
  name: string
  /** ISO 8601. */
  date: string
  /** In minor units of the subscription's currency. */
  amount: number
  /** The provider's page on which it is paid. */
  payUrl: string
  /** Its last payment that was declined; null: not known. */
  lastDecline: DeclinedPayment | null
}

/**
 * A column: what a subscription whose payment failed has not paid at the card provider, oldest first; of one that is not past due, what was
 * declined beside its periods. Null: nothing.
 */
export function dueOrders(): SQL<readonly DueOrder[] | null> {
  const { orderNumber, lines, date, amount, payUrl, providerSubscriptionId, status, isDue, lastDecline } = orders
  const name = sql`coalesce(nullif(${lines} -> 0 -> 'facts' ->> 'product', ''), ${lines} -> 0 ->> 'text', '')`
  const day = sql`to_char(${date} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
  const order = sql`jsonb_build_object(
    'orderNumber', ${orderNumber}, 'name', ${name}, 'date', ${day}, 'amount', ${amount}, 'payUrl', ${payUrl},
    'lastDecline', ${lastDecline}
  )`
  return sql<readonly DueOrder[] | null>`case when ${subscriptions.status} in ('past_due', 'active', 'trialing') then (
    select jsonb_agg(${order} order by ${date}, ${orderNumber}) from ${orders}
    where ${providerSubscriptionId} = ${subscriptions.providerId} and ${status} in ('PD', 'OP') and ${payUrl} <> ''
      and (${subscriptions.status} = 'past_due' or ${isDue})
  ) end`
}

/** A column: whether an invoice of a subscription, not of a change of it, can be paid: its payment failed, or it was sent. */
export function hasUnpaidOrder(): SQL<boolean> {
  const { providerSubscriptionId, status, payUrl, isOfChange } = orders
  return sql<boolean>`exists (
    select from ${orders}
    where ${providerSubscriptionId} = ${subscriptions.providerId} and ${status} in ('PD', 'OP') and ${payUrl} <> ''
      and not ${isOfChange}
  )`
}

/**
 * Whether an invoice of a subscription of the card provider was declined and is open there, as far as its orders have been read. What nobody
 * has tried to collect is not due.
 */
export async function hasOpenOrder(tx: Tx, providerId: string): Promise<boolean> {
  const { orderNumber, providerSubscriptionId, status, isOfChange, payUrl } = orders
  const [open] = await tx
    .select({ orderNumber })
    .from(orders)
    .where(and(eq(providerSubscriptionId, providerId), eq(status, 'PD'), eq(isOfChange, false), ne(payUrl, '')))
    .limit(1)
  return open !== undefined
}
