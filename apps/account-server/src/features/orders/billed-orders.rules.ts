import type { OrderStatus } from '@atrium/contract/orders.ts'
import type { BilledInvoice, BilledLine } from '../../outside/billed-invoice.ts'
import type { OrderLine } from './orders.tables.ts'

/** The texts of lines, in the customer's language. */
export interface LineWords {
  line(kind: 'once' | 'period' | 'credit' | 'remaining', facts: LineFacts): string
  discount: string
}

interface LineFacts {
  product: string
  quantity: number
  from: Date
  to: Date
}

/** A product of the catalog, by the provider's price. */
export interface LineProduct {
  code: string
  name: string
}

/**
 * The status of the order of an invoice: open until it is paid, pending once a payment has failed, canceled if it was voided.
 * @returns undefined if it makes no order: a draft, and one that asks for nothing
 */
export function orderStatusOf({ status, isAttempted, total, charged }: BilledInvoice): OrderStatus | undefined {
  if (status === 'draft' || (total <= 0 && charged <= 0)) return undefined
  if (status === 'paid') return 'CO'
  if (status === 'void') return 'CL'
  if (status === 'open' && !isAttempted) return 'OP'
  return 'PD'
}

/** The invoice's lines and its discounts. With the tax beside them they add up to its total. */
export function orderLinesOf(
  invoice: BilledInvoice,
  products: ReadonlyMap<string, LineProduct>,
  words: LineWords,
): OrderLine[] {
  const extra = (text: string, amount: number) => (amount === 0 ? [] : [{ text, productCode: '', amount: -amount }])
  return [
    ...invoice.lines.map((line) => lineOf(line, products.get(line.priceId), words)),
    ...extra(words.discount, invoice.discount),
  ]
}

/** A line without a known product has the provider's sentence. */
function lineOf(line: BilledLine, product: LineProduct | undefined, words: LineWords): OrderLine {
  if (!product) return { text: line.text, productCode: '', amount: line.amount }
  const { quantity, periodStart: from, periodEnd: to } = line
  const text = words.line(kindOf(line), { product: product.name, quantity, from, to })
  return { text, productCode: product.code, amount: line.amount }
}

function kindOf({ isProration, amount, periodStart, periodEnd }: BilledLine) {
  if (isProration) return amount < 0 ? 'credit' : 'remaining'
  return periodEnd > periodStart ? 'period' : 'once'
}
