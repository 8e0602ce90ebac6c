import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { orders } from './orders.tables.ts'

/** Its worker is on the level that knows what is bought through a partner. */
export const paidOrdersQueue = 'orders.paid'

/** An order that was paid just now. */
export interface PaidOrder {
  orderNumber: string
  /** The provider that charged it. */
  channel: 'card' | 'paypal'
  /** ISO 8601. */
  queuedAt: string
}

/** Queues the email with what was paid, in the transaction in which the order is completed. */
export function enqueueReceipt(
  { jobs, clock }: Pick<Deps, 'jobs' | 'clock'>,
  tx: Tx,
  order: Omit<PaidOrder, 'queuedAt'>,
): Promise<void> {
  const paid: PaidOrder = { ...order, queuedAt: clock().toISOString() }
  return jobs.send(tx, paidOrdersQueue, paid, paid.orderNumber)
}

/**
 * Marks a member's order as emailed, in the transaction in which the email is queued.
 * @returns whether it is theirs still, and was not marked before
 */
export async function claimReceipt(
  tx: Tx,
  { orderNumber, memberId }: { orderNumber: string; memberId: string },
  now: Date,
): Promise<boolean> {
  const isTheirs = and(eq(orders.orderNumber, orderNumber), eq(orders.memberId, memberId))
  const claimed = await tx
    .update(orders)
    .set({ receiptEmailedAt: now })
    .where(and(isTheirs, isNull(orders.receiptEmailedAt)))
    .returning({ orderNumber: orders.orderNumber })
  return claimed.length > 0
}
