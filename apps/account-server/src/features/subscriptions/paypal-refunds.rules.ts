import type { Refunds } from '../../outside/billed-invoice.ts'
import type { PaypalRefund, PaypalSale } from '../../outside/paypal/sales.ts'
import type { RefundParts } from '../orders/orders.tables.ts'
import type { RefundedOrder } from '../orders/refunds.sync.ts'

export type RefundsOf = (order: RefundedOrder) => Refunds & { parts: RefundParts }

/** With a refund that was read under a number: they come in any order, and one that was on its way may fail later. */
export function refundsWith(refund: Omit<PaypalRefund, 'saleId'>, syncNumber: number): RefundsOf {
  const { id, isFailed, amount, refundedAt } = refund
  return (order) => withPart(order, id, { amount: isFailed ? 0 : amount, at: refundedAt.toISOString(), syncNumber })
}

type Sale = Pick<PaypalSale, 'id' | 'total' | 'paidAt' | 'refundedAt'>

/** A payment says that all of it was given or taken back. What was never paid cannot be. */
export function wholeRefundOf({ id, total, paidAt, refundedAt }: Sale, syncNumber: number): RefundsOf {
  return (order) => {
    const isWhole = refundedAt !== null && order.status === 'CO'
    return withPart(order, id, { amount: isWhole ? total : 0, at: (refundedAt ?? paidAt).toISOString(), syncNumber })
  }
}

/** Unless a later reading of the same is stored. */
function withPart(
  { amount, refundParts }: RefundedOrder,
  id: string,
  part: RefundParts[string],
): ReturnType<RefundsOf> {
  const stored = refundParts[id]
  const parts = stored && stored.syncNumber > part.syncNumber ? refundParts : { ...refundParts, [id]: part }
  const given = Object.values(parts).filter((one) => one.amount > 0)
  const sum = given.reduce((all, one) => all + one.amount, 0)
  const last = given
    .map(({ at }) => at)
    .sort()
    .at(-1)
  return { parts, amount: Math.min(sum, amount), lastAt: last === undefined ? null : new Date(last) }
}
