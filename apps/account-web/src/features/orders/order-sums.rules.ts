import type { OnlineOrder } from '@atrium/contract/orders.ts'

type SumName = 'subtotal' | 'tax' | 'taxIncluded' | 'total' | 'balance' | 'charged'

/** A row below the lines of an order, in minor units. */
export interface OrderSum {
  name: SumName
  amount: number
}

type Facts = Pick<OnlineOrder, 'orderProduct' | 'orderAmount' | 'orderTotal' | 'orderTax'>

/**
 * What leads from the lines of an order to its amount: tax, and the balance of the customer's account. With the lines they add up. Empty:
 * the lines are the amount.
 */
export function orderSums({ orderProduct: lines, orderAmount, orderTotal: total, orderTax }: Facts): OrderSum[] {
  const tax = orderTax ?? 0
  if (tax === 0 && total === orderAmount) return []
  const ofLines = lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
  const isIncluded = tax !== 0 && ofLines === total
  return [
    ...(tax !== 0 && !isIncluded && lines.length > 1 ? [{ name: 'subtotal', amount: total - tax } as const] : []),
    ...(tax !== 0 && !isIncluded ? [{ name: 'tax', amount: tax } as const] : []),
    { name: 'total', amount: total },
    ...(isIncluded ? [{ name: 'taxIncluded', amount: tax } as const] : []),
    ...(total === orderAmount
      ? []
      : [{ name: 'balance', amount: orderAmount - total } as const, { name: 'charged', amount: orderAmount } as const]),
  ]
}
