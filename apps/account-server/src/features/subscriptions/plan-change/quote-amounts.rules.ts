import { isDeepStrictEqual } from 'node:util'
import type { QuoteLine } from '@atrium/contract/change-quotes.ts'
import type { BilledInvoice, BilledLine } from '../../../outside/billed-invoice.ts'
import type { ChangePreview } from '../../../outside/card-provider/plan-previews.ts'
import { type NamedProduct, productOfLine } from '../../catalog/line-products.rules.ts'
import type { AskedChange, ChangeQuoteRow } from './change-quotes.tables.ts'
import { paidBefore, type UnbilledTerm } from './paid-before.rules.ts'

/** What an invoice charges, in lines. @param products by the provider's ids; otherwise the line has the provider's sentence */
export function linesOf(
  invoice: Pick<BilledInvoice, 'lines'>,
  products: ReadonlyMap<string, NamedProduct>,
): QuoteLine[] {
  return invoice.lines.map((line) => ({
    kind: line.amount < 0 ? ('credit' as const) : ('charge' as const),
    appName: productOfLine(line, products)?.name ?? line.text,
    quantity: line.quantity,
    amount: line.amount,
    from: line.periodStart.toISOString(),
    to: line.periodEnd.toISOString(),
  }))
}

/**
 * What an invoice sums up to before tax, in minor units, after lasting discounts: what is bought, and all of it with credits. More of the
 * same is charged as all of it, less a credit for what was there before: only the difference is bought. Prorated lines have the
 * discounts in their amounts, those of a new term do not.
 * @param isCounted which lines are among what is bought; left out: all of them
 */
export function sumsOf(
  { lines, discount }: Pick<BilledInvoice, 'lines' | 'discount'>,
  isCounted: (line: BilledLine) => boolean = () => true,
) {
  const sum = (some: readonly Pick<BilledLine, 'amount' | 'discount'>[]) =>
    some.reduce((total, line) => total + line.amount - (line.discount ?? 0), 0)
  const byPrice = [...Map.groupBy(lines.filter(isCounted), ({ priceId }) => priceId).values()].map(sum)
  const whole = lines.reduce((total, { amount }) => total + amount, 0)
  return { bought: byPrice.reduce((all, amount) => all + Math.max(0, amount), 0), subtotal: whole - discount }
}

/** The amounts of an invoice of which quote and commit must agree. */
export function amountsOf(invoice: BilledInvoice) {
  const { discount, tax, charged, currency } = invoice
  return {
    discount,
    subAmount: sumsOf(invoice).subtotal,
    taxAmount: tax,
    ...balanceOf(invoice),
    chargeAmount: charged,
    currency,
  }
}

type Balanced = Pick<BilledInvoice, 'total' | 'charged' | 'balanceBefore'>

/**
 * What stands between the total of an invoice and its charge, in minor units: what the customer's credit pays, what they owe from
 * earlier, what is too little to charge and moves to the next invoice, and what is left to them as credit.
 */
export function balanceOf({ total, charged, balanceBefore }: Balanced) {
  // What is charged says which balance counted: one in another currency does not.
  const balance = charged > 0 ? charged - total : balanceBefore
  const creditUsed = Math.min(Math.max(0, -balance), Math.max(0, total))
  const owedBefore = Math.max(0, balance)
  const due = total - creditUsed + owedBefore
  return {
    creditUsed,
    owedBefore,
    movedToNext: charged === 0 ? Math.max(0, due) : 0,
    creditAdded: Math.max(0, -due),
  }
}

/** What is left on the customer's account, in minor units: owed, or, negative, their credit. What is charged leaves nothing. */
export function balanceAfter({ total, charged, balanceBefore }: Balanced): number {
  return charged > 0 ? 0 : balanceBefore + total
}

/** What the customer confirmed. */
interface Wanted {
  asked: AskedChange
  /** Empty: the card that was shown. */
  paymentMethodId: string
  /** As the customer saw it; undefined: not said. */
  discount: number | undefined
}

/** Whether the same is asked for; upper and lower case of a coupon are the same. */
export function isSameChange(one: AskedChange, other: AskedChange): boolean {
  const plain = (asked: AskedChange) => ({ ...asked, couponCode: asked.couponCode.toLowerCase() })
  return isDeepStrictEqual(plain(one), plain(other))
}

/** Whether the provider still charges what was shown, for what is asked, to the card that was shown or is chosen. */
export function isAsShown(
  { asked, shown }: Pick<ChangeQuoteRow, 'asked' | 'shown'>,
  { invoice, card }: Pick<ChangePreview, 'invoice' | 'card'>,
  wanted: Wanted,
): boolean {
  const now = amountsOf(invoice)
  const isAnyCard = wanted.paymentMethodId !== '' || now.chargeAmount === 0
  return (
    isSameChange(asked, wanted.asked) &&
    shown.discount === (wanted.discount ?? shown.discount) &&
    now.discount === shown.discount &&
    now.chargeAmount === shown.chargeAmount &&
    now.subAmount === shown.subAmount &&
    now.taxAmount === shown.taxAmount &&
    now.currency === shown.currency &&
    (isAnyCard || shown.paymentMethodId === (card?.id ?? ''))
  )
}

interface KeptPreview extends Pick<ChangePreview, 'invoice' | 'card'> {
  unbilled: readonly UnbilledTerm[]
}

/**
 * Whether also the Owner before has paid of it what was shown: not once the new one was charged, or some of that was given back.
 */
export function isChangeAsShown(quote: ChangeQuoteRow, preview: KeptPreview, wanted: Wanted): boolean {
  const paid = paidBefore(preview.unbilled, quote.prorationDate)
  return isAsShown(quote, preview, wanted) && isDeepStrictEqual(paid, quote.paidBefore)
}
