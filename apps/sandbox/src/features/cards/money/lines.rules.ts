import Stripe from 'stripe'
import type { Line, Reduction } from '../store/billing-hidden.ts'
import { presetTaxCode, type Taxation } from '../tax/tax.rules.ts'
import { newId } from '../wire/ids.rules.ts'
import { divided, percentOf, taxWithin } from './proration.rules.ts'

interface NewLine
  extends Pick<
    Stripe.InvoiceLineItem,
    'amount' | 'currency' | 'description' | 'discountable' | 'parent' | 'period' | 'quantity' | 'subscription'
  > {
  price: Stripe.Price | null
  metadata: Stripe.Metadata
  taxBehavior: string | null
}

/** A line before discounts and taxes. */
export function newLine({ price, taxBehavior, ...given }: NewLine): Line {
  const line: Stripe.InvoiceLineItem = {
    id: newId('il_'),
    object: 'line_item',
    discount_amounts: [],
    discounts: [],
    invoice: null,
    livemode: false,
    pretax_credit_amounts: [],
    pricing: price && pricingOf(price),
    quantity_decimal: given.quantity === null ? null : Stripe.Decimal.from(given.quantity),
    subtotal: given.amount,
    taxes: [],
    ...given,
  }
  return { line, taxBehavior: taxBehavior === 'inclusive' ? 'inclusive' : 'exclusive' }
}

export function pricingOf(price: Stripe.Price): Stripe.InvoiceLineItem.Pricing {
  const product = typeof price.product === 'string' ? price.product : price.product.id
  return {
    price_details: { price: price.id, product },
    type: 'price_details',
    unit_amount_decimal: Stripe.Decimal.from(price.unit_amount ?? 0),
  }
}

/** A discount that an invoice takes into account. */
export interface Applied extends Reduction {
  id: string
}

/**
 * The lines with the discounts of their invoice, each on what the earlier ones left. Prorations have theirs in their amount,
 * and are not discountable.
 */
export function withDiscounts(lines: readonly Line[], discounts: readonly Applied[]): Line[] {
  const whole = lines.map((line) => withAmounts(line, []))
  return discounts.reduce((reduced, discount) => reducedBy(discount, reduced), whole)
}

function withAmounts(line: Line, discount_amounts: Stripe.InvoiceLineItem.DiscountAmount[]): Line {
  return { ...line, line: { ...line.line, discount_amounts } }
}

function reducedBy(discount: Applied, lines: readonly Line[]): Line[] {
  const bases = lines.map((line) => (isReducible(line, discount) ? Math.max(0, netOf(line)) : 0))
  const amounts = reductionsOf(discount, bases)
  return lines.map((line, place) => {
    const amount = amounts[place] ?? 0
    if (amount === 0) return line
    return withAmounts(line, [...(line.line.discount_amounts ?? []), { amount, discount: discount.id }])
  })
}

function isReducible({ line }: Line, { products }: Applied): boolean {
  if (!line.discountable || line.amount <= 0) return false
  return products === null || products.includes(line.pricing?.price_details?.product ?? '')
}

/** How much a reduction takes from each amount. */
export function reductionsOf({ percentOff, amountOff }: Reduction, amounts: readonly number[]): number[] {
  if (percentOff !== null) return amounts.map((amount) => percentOf(amount, percentOff))
  const sum = amounts.reduce((all, amount) => all + amount, 0)
  return divided(Math.min(amountOff ?? 0, sum), amounts)
}

/** The amount of a line after its discounts, with the tax that it contains and without the tax that is added. */
export function netOf({ line }: Line): number {
  return (line.discount_amounts ?? []).reduce((net, { amount }) => net - amount, line.amount)
}

/** The lines with taxes of one place. @param taxation `null` without automatic tax */
export function withTaxes(lines: readonly Line[], taxation: Taxation | null): Line[] {
  return lines.map((line) => ({
    ...line,
    line: { ...line.line, taxes: taxation ? [taxOf(line, taxation)] : [] },
  }))
}

function taxOf(line: Line, { rate, reason, ...taxation }: Taxation): Stripe.InvoiceLineItem.Tax {
  const net = netOf(line)
  const other = taxation.percentOf?.[line.taxCode ?? presetTaxCode]
  const percent = other ?? taxation.percent
  const isInclusive = line.taxBehavior === 'inclusive'
  const amount = isInclusive ? taxWithin(net, percent) : percentOf(net, percent)
  return {
    amount,
    tax_behavior: line.taxBehavior,
    tax_rate_details: { tax_rate: other === undefined ? rate : `${rate}_${line.taxCode}` },
    taxability_reason: other === undefined ? reason : 'reduced_rated',
    taxable_amount: isInclusive ? net - amount : net,
    type: 'tax_rate_details',
  }
}
