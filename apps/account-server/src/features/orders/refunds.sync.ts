import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { nextSyncNumber } from '../../db/sync-numbers.queries.ts'
import type { Deps } from '../../deps.ts'
import type { Refunds } from '../../outside/billed-invoice.ts'
import { ifKnown } from '../../outside/provider-failure.ts'
import { recordProvider } from '../activity/activity.writes.ts'
import { publishEvent } from '../events/events.writes.ts'
import type { KnownSubscriptions } from './order-owners.queries.ts'
import { syncInvoice } from './orders.sync.ts'
import { orders, type RefundParts } from './orders.tables.ts'

type Row = typeof orders.$inferSelect

type WriteDeps = Pick<Deps, 'db' | 'clock'>

interface CardDeps extends WriteDeps {
  cards: Pick<Deps['cards'], 'refundsOfInvoice' | 'invoicesOfPayment'>
}

/**
 * Fetches a refund of the card provider, and applies what was given back altogether to the orders that its payment paid.
 * @returns the provider's ids of these invoices, and of the subscriptions whose invoices had no order yet
 */
export async function syncRefund(deps: Deps, id: string, known: KnownSubscriptions) {
  const payment = await ifKnown(deps.cards.paymentOfRefund(id))
  const invoiceIds = payment ? await deps.cards.invoicesOfPayment(payment) : []
  const subscriptionIds: string[] = []
  for (const invoiceId of invoiceIds) {
    if (await syncRefundsOfInvoice(deps, invoiceId, publishing(deps))) continue
    // The refund is known before its order.
    const subscriptionId = await syncInvoice(deps, invoiceId, known)
    await syncRefundsOfInvoice(deps, invoiceId, publishing(deps))
    if (subscriptionId !== '') subscriptionIds.push(subscriptionId)
  }
  return { invoiceIds, subscriptionIds }
}

/**
 * Takes over what was given back before, after the invoices and without events. It may be interrupted and run again.
 * @returns how many orders have refunds
 */
export async function syncRefunds(
  deps: CardDeps & { cards: Pick<Deps['cards'], 'refundedPayments'> },
): Promise<number> {
  let synced = 0
  let after: string | undefined
  do {
    const { payments, last, hasMore } = await deps.cards.refundedPayments(after)
    for (const payment of payments) {
      for (const invoiceId of await deps.cards.invoicesOfPayment(payment)) {
        if (await syncRefundsOfInvoice(deps, invoiceId, unpublished)) synced += 1
      }
    }
    after = hasMore ? last : undefined
  } while (after)
  return synced
}

/** Applies what was given back of an invoice so far. @returns whether the invoice has an order */
export async function syncRefundsOfInvoice(deps: CardDeps, invoiceId: string, publish: Publish): Promise<boolean> {
  const syncNumber = await nextSyncNumber(deps.db)
  const refunds = await deps.cards.refundsOfInvoice(invoiceId)
  return applyRefunds(deps, { invoiceId, syncNumber, refunds: () => refunds, publish })
}

/** What of an order decides how much was given back of it. */
export type RefundedOrder = Pick<Row, 'status' | 'amount' | 'refundParts'>

type Publish = (tx: Tx, order: Row, refunds: Refunds) => Promise<void>

interface Reading {
  /** The provider's id of what was paid. */
  invoiceId: string
  /** Of a reading of everything that was given back; left out for one of a part, which has its own number. */
  syncNumber?: number
  /** What was given back altogether, after what the order says so far. */
  refunds(order: RefundedOrder): Refunds & { parts?: RefundParts }
  publish: Publish
}

/**
 * Applies what any provider gave back to the order, unless a later reading is stored already.
 * @returns whether there is an order
 */
export function applyRefunds(
  { db, clock }: WriteDeps,
  { invoiceId, syncNumber, refunds: refundsAfter, publish }: Reading,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.providerId, invoiceId)).for('update')
    if (!order) return false
    if (order.refundSyncNumber > (syncNumber ?? order.refundSyncNumber)) return true
    const { orderNumber: target, memberId, refundedAmount, currency } = order
    const { parts: refundParts, ...refunds } = refundsAfter(order)
    await tx
      .update(orders)
      .set({
        ...{ refundedAmount: refunds.amount, refundedAt: refunds.lastAt, refundSyncNumber: syncNumber },
        ...(refundParts && { refundParts }),
      })
      .where(eq(orders.orderNumber, target))
    if (refundedAmount === refunds.amount) return true
    const details = { before: { refundedAmount }, after: { refundedAmount: refunds.amount, currency } }
    await recordProvider(tx, memberId, { action: 'order.refunded', target, details, now: clock() })
    await publish(tx, order, refunds)
    return true
  })
}

/** For a take-over: nothing happened. */
export const unpublished: Publish = async () => undefined

export function publishing(deps: Pick<Deps, 'clock' | 'config' | 'jobs'>): Publish {
  return (tx, order, refunds) => {
    const { orderNumber, invoiceNumber, providerId, amount, currency } = order
    const refunded = { refundedAmount: refunds.amount, refundedAt: refunds.lastAt }
    const data = { orderNumber, invoiceNumber, providerId, amount, currency, ...refunded }
    return publishEvent(deps, tx, { type: 'order.refunded', data, now: deps.clock() })
  }
}
