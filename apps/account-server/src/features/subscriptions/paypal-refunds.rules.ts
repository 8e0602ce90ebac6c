import type { Refunds } from '../../outside/billed-invoice.ts'
import type { PaypalRefund, PaypalSale } from '../../outside/paypal/sales.ts'
import type { orders, RefundParts } from '../orders/orders.tables.ts'

type Order = Pick<typeof orders.$inferSelect, 'status' | 'amount' | 'refundedAmount' | 'refundedAt' | 'refundParts'>
type RefundsOf = (order: Order) => Refunds & { parts: RefundParts }

/** With a refund that was read now: they come in any order, and one that was on its way may fail later. */
export function refundsWith({ id, isFailed, amount, refundedAt }: Omit<PaypalRefund, 'saleId'>): RefundsOf {
  return (order) => withPart(order, id, isFailed ? undefined : { amount, at: refundedAt.toISOString() })
}

/** A payment says that all of it was given or taken back. What was never paid cannot be. */
export function wholeRefundOf({ id, total, refundedAt }: Pick<PaypalSale, 'id' | 'total' | 'refundedAt'>): RefundsOf {
  return (order) => {
    const isWhole = refundedAt !== null && order.status === 'CO'
    return withPart(order, id, isWhole ? { amount: total, at: refundedAt.toISOString() } : undefined)
  }
}

function withPart(order: Order, id: string, part: RefundParts[string] | undefined): ReturnType<RefundsOf> {
  const { [id]: _before, ...others } = order.refundParts
  const parts = part ? { ...others, [id]: part } : others
  const given = Object.values(parts)
  const amount = given.reduce((sum, one) => sum + one.amount, 0)
  const last = given
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return { parts, amount: Math.min(amount, order.amount), lastAt: last === undefined ? null : new Date(last) }
}
