import type { OnlineOrder } from '@atrium/contract/orders.ts'

type SumName = 'subtotal' | 'discount' | 'tax' | 'taxIncluded' | 'total' | 'balance' | 'charged'

/** A row below the lines of an order, in minor units. */
export interface OrderSum {
  name: SumName
  amount: number
}

/** What a discount takes off is a line of its own, but no product. */
export function productLines({ orderProduct }: Pick<OnlineOrder, 'orderProduct'>) {
  return orderProduct.filter(({ isDiscount }) => isDiscount === 0)
}

type Facts = Pick<OnlineOrder, 'orderProduct' | 'orderAmount' | 'orderTotal' | 'orderTax'>

/**
 * What leads from the lines of an order, without its discount, to its amount: discount, tax, and the balance of the customer's account.
 * With the lines they add up. Empty: the lines are the amount, or it is hidden.
 */
export function orderSums({ orderProduct, orderAmount, orderTotal: total, orderTax }: Facts): OrderSum[] {
  if (total === null || orderAmount === null) return []
  const tax = orderTax ?? 0
  const discount = -sumOf(orderProduct.filter(({ isDiscount }) => isDiscount === 1))
  if (tax === 0 && discount === 0 && total === orderAmount) return []
  const isIncluded = tax !== 0 && sumOf(orderProduct) === total
  const added = isIncluded ? 0 : tax
  const hasSubtotal = discount !== 0 || (added !== 0 && orderProduct.length > 1)
  return [
    ...(hasSubtotal ? [row('subtotal', total - added + discount)] : []),
    ...(discount === 0 ? [] : [row('discount', -discount)]),
    ...(added === 0 ? [] : [row('tax', added)]),
    row('total', total),
    ...(isIncluded ? [row('taxIncluded', tax)] : []),
    ...(total === orderAmount ? [] : [row('balance', orderAmount - total), row('charged', orderAmount)]),
  ]
}

function row(name: SumName, amount: number): OrderSum {
  return { name, amount }
}

function sumOf(lines: Facts['orderProduct']): number {
  return lines.reduce((sum, { amount }) => sum + (amount ?? 0), 0)
}
