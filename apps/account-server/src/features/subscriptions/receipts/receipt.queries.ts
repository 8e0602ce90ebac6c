import type { Reader } from '@atrium/server-kit/database.ts'
import { and, eq, inArray, ne, or } from 'drizzle-orm'
import { members } from '../../../db/members.tables.ts'
import { products } from '../../catalog/catalog.tables.ts'
import { orders } from '../../orders/orders.tables.ts'
import { subscriptions } from '../subscriptions.tables.ts'

export type OrderRow = typeof orders.$inferSelect

/** An order with its buyer, and with the subscription that it pays for, if that is known here; undefined: there is none. */
export async function paidOrder(db: Reader, orderNumber: string) {
  // A file may have brought the subscription under the provider's id.
  const isPaid = or(
    eq(subscriptions.providerId, orders.providerSubscriptionId),
    eq(subscriptions.id, orders.providerSubscriptionId),
  )
  const [found] = await db
    .select({
      order: orders,
      member: members,
      isPriceHidden: subscriptions.isPriceHidden,
      subscribedCode: subscriptions.productCode,
      subscription: subscriptions,
    })
    .from(orders)
    .innerJoin(members, eq(members.id, orders.memberId))
    .leftJoin(subscriptions, and(ne(orders.providerSubscriptionId, ''), isPaid))
    .where(eq(orders.orderNumber, orderNumber))
  return found
}

/** The name of the first of these products that the catalog has; empty: none. */
export async function productNameOf(db: Reader, codes: readonly string[]): Promise<string> {
  const found = await db
    .select({ code: products.code, name: products.name })
    .from(products)
    .where(inArray(products.code, [...codes]))
  const names = new Map(found.map(({ code, name }) => [code, name]))
  return codes.map((code) => names.get(code) ?? '').find((name) => name !== '') ?? ''
}
