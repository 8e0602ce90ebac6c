import type { PaidSum } from '@atrium/contract/orders.ts'
import type { OrderLine, orders } from './orders.tables.ts'

export interface OrderTotal {
  name: 'subtotal' | 'discount' | 'tax' | 'total' | 'taxIncluded' | 'balance' | 'charged'
  /** Minor units of the order's currency. */
  amount: number
}

type Facts = Pick<typeof orders.$inferSelect, 'lines' | 'amount' | 'tax'> & { total: number }

/** What a coupon took off stands below the subtotal, as in the dialog in which it was paid, not among the lines. */
export function isDiscount({ facts }: Pick<OrderLine, 'facts'>): boolean {
  return facts?.kind === 'discount'
}

/**
 * What leads from the lines of an order without its discount to what was charged: subtotal, discount, tax and total; then, if the
 * balance of the customer's account took part, that. A tax that is not known has no subtotal; one within the prices is not added again.
 */
export function orderTotals({ lines, total, amount, tax }: Facts): OrderTotal[] {
  const discount = -sumOf(lines.filter(isDiscount))
  const isIncluded = tax !== null && tax !== 0 && sumOf(lines) === total
  const added = isIncluded ? 0 : (tax ?? 0)
  return [
    ...(tax === null && discount === 0 ? [] : [row('subtotal', total - added + discount)]),
    ...(discount === 0 ? [] : [row('discount', -discount)]),
    ...(tax === null || isIncluded ? [] : [row('tax', tax)]),
    row('total', total),
    ...(isIncluded ? [row('taxIncluded', tax)] : []),
    ...(amount === total ? [] : [row('balance', amount - total), row('charged', amount)]),
  ]
}

function row(name: OrderTotal['name'], amount: number): OrderTotal {
  return { name, amount }
}

function sumOf(lines: readonly OrderLine[]): number {
  return total(lines.map(({ amount }) => amount ?? 0))
}

/** Of which times sums are. */
export type SumTimes = 'months' | 'years' | 'all'

interface TimeSum {
  currency: string
  /** A month from 0, a year, or 0. */
  time: number
  orders: number
  /** Minor units. */
  paid: number
}

/** What was paid in each currency, that of the most orders first. */
export function paidByCurrency(sums: readonly TimeSum[], times: SumTimes): PaidSum[] {
  const byCurrency = Map.groupBy(sums, ({ currency }) => currency)
  return [...byCurrency]
    .map(([currency, ofCurrency]) => ({
      currency,
      orders: total(ofCurrency.map(({ orders }) => orders)),
      amount: total(ofCurrency.map(({ paid }) => paid)),
      months: times === 'months' ? yearOfMonths(ofCurrency) : [],
      years: times === 'years' ? newestYears(ofCurrency) : [],
    }))
    .filter(({ amount }) => amount !== 0)
    .sort((one, other) => other.orders - one.orders || one.currency.localeCompare(other.currency))
    .map(({ orders: _, ...sum }) => sum)
}

function yearOfMonths(sums: readonly TimeSum[]): number[] {
  return Array.from({ length: 12 }, (_, month) => sums.find(({ time }) => time === month)?.paid ?? 0)
}

function newestYears(sums: readonly TimeSum[]): PaidSum['years'] {
  return sums
    .map(({ time: year, paid: amount }) => ({ year, amount }))
    .filter(({ amount }) => amount !== 0)
    .sort((one, other) => other.year - one.year)
}

function total(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0)
}
