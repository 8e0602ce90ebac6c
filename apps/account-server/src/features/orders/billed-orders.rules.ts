import type { OrderStatus } from '@atrium/contract/orders.ts'
import type { BilledInvoice, BilledLine } from '../../outside/billed-invoice.ts'
import { type NamedProduct, productOfLine } from '../catalog/line-products.rules.ts'
import type { LineFacts, OrderLine } from './orders.tables.ts'

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

/**
 * The invoice's lines and its discounts. With the tax beside them they add up to its total.
 * @param products by the provider's ids: `productsOfLines`
 * @param textOf words a line in the order's language
 */
export function orderLinesOf(
  invoice: BilledInvoice,
  products: ReadonlyMap<string, NamedProduct>,
  textOf: (facts: LineFacts) => string,
): OrderLine[] {
  const { lines, discount } = invoice
  const worded = (facts: LineFacts) => ({ text: textOf(facts), facts })
  return [
    ...lines.map((line) => {
      const product = productOfLine(line, products)
      const { amount, text } = line
      if (line.isSetupFee)
        return { ...worded(factsOf(line, product?.name ?? text)), productCode: product?.code ?? '', amount }
      // A line without a known product has the provider's sentence.
      if (!product && text !== '') return { text, productCode: '', amount }
      return { ...worded(factsOf(line, product?.name ?? '')), productCode: product?.code ?? '', amount }
    }),
    ...(discount === 0 ? [] : [{ ...worded(discountFacts), productCode: '', amount: -discount }]),
  ]
}

const discountFacts: LineFacts = { kind: 'discount', product: '', quantity: 1, from: '', to: '' }

function factsOf(line: BilledLine, product: string): LineFacts {
  const { quantity, periodStart, periodEnd } = line
  return { kind: kindOf(line), product, quantity, from: periodStart.toISOString(), to: periodEnd.toISOString() }
}

function kindOf({ isSetupFee, isProration, amount, periodStart, periodEnd }: BilledLine) {
  if (isSetupFee) return 'setupFee'
  if (isProration) return amount < 0 ? 'credit' : 'remaining'
  return periodEnd > periodStart ? 'period' : 'once'
}
