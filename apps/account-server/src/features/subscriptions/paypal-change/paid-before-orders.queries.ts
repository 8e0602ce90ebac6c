import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq } from 'drizzle-orm'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { OrderedChange } from './ordered-change.ts'
import type { Replaced } from './paypal-grant.rules.ts'

/** What PayPal's own payment of a period was for, where orders have bought more within it. */
export interface PaidBeforeOrders {
  /** Until when the orders have bought it. */
  periodEnd: Date
  plan: Replaced
}

/** Of the last period in which something was bought by order, given back since or not; undefined: in none. */
export async function paidBeforeOrders(db: Reader, subscriptionId: string): Promise<PaidBeforeOrders | undefined> {
  const { objectId, kind, status, createdAt, input } = providerOperations
  const isOrder = and(eq(kind, 'subscription.change_by_order'), eq(status, 'succeeded'))
  const rows = await db
    .select({ input })
    .from(providerOperations)
    .where(and(eq(objectId, subscriptionId), isOrder))
    .orderBy(asc(createdAt))
  const bought = rows.flatMap((row) => {
    const { periodEnd, granted } = OrderedChange.parse(row.input)
    const { isFromNow, replaced: plan } = granted
    return isFromNow && plan ? [{ periodEnd, plan }] : []
  })
  const last = bought.at(-1)
  return bought.find(({ periodEnd }) => periodEnd.getTime() === last?.periodEnd.getTime())
}
