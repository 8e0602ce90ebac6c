import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { Refunds } from '../../outside/card-provider/refunds.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { recordProvider } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import { syncInvoice } from './orders.sync.ts'
import { orders } from './orders.tables.ts'

type Row = typeof orders.$inferSelect

interface RefundDeps extends Pick<Deps, 'db' | 'clock'> {
  cards: Pick<Deps['cards'], 'refundsOfInvoice' | 'invoicesOfPayment'>
  publish(tx: Tx, order: Row, refunds: Refunds): Promise<void>
}

/** Fetches a refund of the card provider, and applies what was given back altogether to the orders that its payment paid. */
export async function syncRefund(deps: Deps, id: string): Promise<void> {
  const payment = await ifKnown(deps.cards.paymentOfRefund(id))
  if (!payment) return
  const publish = (tx: Tx, order: Row, refunds: Refunds) => publishRefund(deps, tx, { order, refunds })
  for (const invoiceId of await deps.cards.invoicesOfPayment(payment)) {
    if (await syncRefundsOfInvoice({ ...deps, publish }, invoiceId)) continue
    // The refund is known before its order.
    await syncInvoice(deps, invoiceId)
    await syncRefundsOfInvoice({ ...deps, publish }, invoiceId)
  }
}

/**
 * Takes over what was given back before, after the invoices and without events. It may be interrupted and run again.
 * @returns how many orders have refunds
 */
export async function syncRefunds(
  asked: Omit<RefundDeps, 'publish' | 'cards'> & {
    cards: RefundDeps['cards'] & Pick<Deps['cards'], 'refundedPayments'>
  },
): Promise<number> {
  const deps = { ...asked, publish: async () => undefined }
  let synced = 0
  let after: string | undefined
  do {
    const { payments, last, hasMore } = await deps.cards.refundedPayments(after)
    for (const payment of payments) {
      for (const invoiceId of await deps.cards.invoicesOfPayment(payment)) {
        if (await syncRefundsOfInvoice(deps, invoiceId)) synced += 1
      }
    }
    after = hasMore ? last : undefined
  } while (after)
  return synced
}

/** @returns whether the invoice has an order */
async function syncRefundsOfInvoice(deps: RefundDeps, invoiceId: string): Promise<boolean> {
  const syncNumber = await nextSyncNumber(deps.db)
  const refunds = await deps.cards.refundsOfInvoice(invoiceId)
  return deps.db.transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.providerId, invoiceId)).for('update')
    if (!order) return false
    if (order.refundSyncNumber > syncNumber) return true
    await tx
      .update(orders)
      .set({ refundedAmount: refunds.amount, refundedAt: refunds.lastAt, refundSyncNumber: syncNumber })
      .where(eq(orders.orderNumber, order.orderNumber))
    if (order.refundedAmount === refunds.amount) return true
    const { orderNumber: target, memberId, refundedAmount, currency } = order
    const details = { before: { refundedAmount }, after: { refundedAmount: refunds.amount, currency } }
    await recordProvider(tx, memberId, { action: 'order.refunded', target, details, now: deps.clock() })
    await deps.publish(tx, order, refunds)
    return true
  })
}

function publishRefund(deps: Deps, tx: Tx, { order, refunds }: { order: Row; refunds: Refunds }): Promise<void> {
  const { orderNumber, invoiceNumber, providerId, amount, currency } = order
  const refunded = { refundedAmount: refunds.amount, refundedAt: refunds.lastAt }
  const data = { orderNumber, invoiceNumber, providerId, amount, currency, ...refunded }
  return publishEvent(deps, tx, { type: 'order.refunded', data, now: deps.clock() })
}
