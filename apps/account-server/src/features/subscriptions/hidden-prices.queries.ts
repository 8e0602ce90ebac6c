import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { orders } from '../orders/orders.tables.ts'
import { movedObjects } from './moving/moved-objects.tables.ts'
import { subscriptions } from './subscriptions.tables.ts'

/**
 * Whether the price of something is hidden. Every reply, table and file that names an amount of it asks here, or reads what was marked by
 * `markHiddenOrders`.
 * @param id of a subscription or an order, here or at the provider; also of what stood for the subscription before a transfer
 */
export function hasHiddenPrice(id: SQLWrapper): SQL<boolean> {
  // Wrapped, since Drizzle omits the table name in a select from one table: it would be a column of the tables here.
  const asked = sql`${id}`
  return sql<boolean>`(
    exists (select 1 from ${subscriptions} s where s.is_price_hidden and ${asked}::text in (s.id, s.provider_id))
    or exists (select 1 from ${movedObjects} m join ${subscriptions} s on s.id = m.subscription_id
      where s.is_price_hidden and m.provider_id = ${asked}::text)
    or exists (select 1 from ${orders} o where o.is_price_hidden and ${asked}::text in (o.order_number, o.provider_id)))`
}
