import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, eq } from 'drizzle-orm'
import { providerOperations } from '../../payments/operations/operations.tables.ts'
import { OrderedChange, OrderOutcome } from './ordered-change.ts'
import type { Replaced } from './paypal-grant.rules.ts'

/** What PayPal's own payment of a period was for, where orders have bought more within it. */
export interface PaidBeforeOrders {
  /** Until when the orders have bought it. */
  periodEnd: Date
  plan: Replaced
}

/** Of the last period in which something was bought by order that is not given back; undefined: in none. */
export async function paidBeforeOrders(db: Reader, subscriptionId: string): Promise<PaidBeforeOrders | undefined> {
  const { objectId, kind, status, createdAt, input, result } = providerOperations
  const isOrder = and(eq(kind, 'subscription.change_by_order'), eq(status, 'succeeded'))
  const rows = await db
    .select({ input, result })
    .from(providerOperations)
    .where(and(eq(objectId, subscriptionId), isOrder))
    .orderBy(asc(createdAt))
  const bought = rows.flatMap((row) => {
    const { periodEnd, granted } = OrderedChange.parse(row.input)
    const isBought = granted.isFromNow && granted.replaced && !OrderOutcome.parse(row.result).isTakenBack
    return isBought && granted.replaced ? [{ periodEnd, plan: granted.replaced }] : []
  })
  const last = bought.at(-1)
  return bought.find(({ periodEnd }) => periodEnd.getTime() === last?.periodEnd.getTime())
}
