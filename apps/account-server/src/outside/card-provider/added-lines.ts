import type Stripe from 'stripe'
import type { BilledLine } from '../billed-invoice.ts'
import { providerAmount } from './minor-units.ts'

/** How an added line is taxed: as what it takes something off, or the provider would take the defaults of the vendor's account. */
export interface LineTax {
  /** Of the price; empty: the default. */
  taxBehavior: 'exclusive' | 'inclusive' | ''
  /** Of the product; empty: the default. */
  taxCode: string
}

export const untaxed: LineTax = { taxBehavior: '', taxCode: '' }

/** A discount of our own making: to the minor unit as shown, whatever is prorated. */
export interface OnceOff extends LineTax {
  couponCode: string
  /** In minor units of `currency`; positive. */
  amount: number
  currency: string
  /** The provider's product that is bought. */
  productId: string
}

/** What the Owner before has paid for an item, until the new Owner's first charge: it is credited once. */
export interface PaidBefore extends LineTax {
  priceId: string
  productId: string
  quantity: number
  /** In minor units of `currency`; positive. */
  amount: number
  currency: string
  /** ISO 8601, whole seconds. */
  from: string
  to: string
}

/** Negative lines of a change's own invoice. */
export interface AddedLines {
  /** Taken off once. */
  discount?: OnceOff | undefined
  paidBefore?: readonly PaidBefore[] | undefined
}

/** The metadata of a line with which a coupon takes something off. */
const couponMark = 'coupon'

/** The metadata of a line that credits what was paid before: of which price, product and quantity. */
const paidMarks = { price: 'paid_price', product: 'paid_product', quantity: 'paid_quantity' }

/** As the change itself takes them: as prices of the products. A discount on an item would be prorated with it. */
export function addedParams(added: AddedLines): Pick<Stripe.SubscriptionUpdateParams, 'add_invoice_items'> {
  const items = linesOf(added, { paid: paidItem, discount: discountItem })
  return items.length > 0 ? { add_invoice_items: items } : {}
}

/** As a preview of the change takes them: it has no negative prices, only amounts. */
export function previewedParams(added: AddedLines): Pick<Stripe.InvoiceCreatePreviewParams, 'invoice_items'> {
  const items = linesOf(added, { paid: previewedPaid, discount: previewedDiscount })
  return items.length > 0 ? { invoice_items: items } : {}
}

interface Conversion<Item> {
  paid: (paid: PaidBefore) => Item
  discount: (discount: OnceOff) => Item
}

function linesOf<Item>({ discount, paidBefore = [] }: AddedLines, to: Conversion<Item>): Item[] {
  return [...paidBefore.map(to.paid), ...(discount ? [to.discount(discount)] : [])]
}

export function isDiscount({ amount, metadata }: Stripe.InvoiceLineItem): boolean {
  return amount < 0 && metadata[couponMark] !== undefined
}

/** Whether an item is one of a change's own. */
export function isAdded({ metadata }: Pick<Stripe.InvoiceItem, 'metadata'>): boolean {
  return metadata?.[couponMark] !== undefined || metadata?.[paidMarks.price] !== undefined
}

/** What a line credits that was paid before; undefined: it is another line. */
export function creditedBy({
  amount,
  metadata,
}: Stripe.InvoiceLineItem): Pick<BilledLine, 'priceId' | 'productId' | 'quantity' | 'isProration'> | undefined {
  const priceId = metadata[paidMarks.price]
  if (amount >= 0 || priceId === undefined) return undefined
  const productId = metadata[paidMarks.product] ?? ''
  return { priceId, productId, quantity: Number(metadata[paidMarks.quantity] ?? 1), isProration: true }
}

function paidItem(paid: PaidBefore): Stripe.SubscriptionUpdateParams.AddInvoiceItem {
  return {
    price_data: priceOf(paid),
    period: {
      start: { type: 'timestamp', timestamp: secondsOf(paid.from) },
      end: { type: 'timestamp', timestamp: secondsOf(paid.to) },
    },
    metadata: paidMetadata(paid),
  }
}

function previewedPaid(paid: PaidBefore): Stripe.InvoiceCreatePreviewParams.InvoiceItem {
  return {
    ...creditOf(paid),
    ...taxParams(paid),
    period: { start: secondsOf(paid.from), end: secondsOf(paid.to) },
    metadata: paidMetadata(paid),
  }
}

function paidMetadata({ priceId, productId, quantity }: PaidBefore) {
  return {
    [paidMarks.price]: priceId,
    [paidMarks.product]: productId,
    [paidMarks.quantity]: String(quantity),
  }
}

function discountItem(discount: OnceOff): Stripe.SubscriptionUpdateParams.AddInvoiceItem {
  return { price_data: priceOf(discount), metadata: { [couponMark]: discount.couponCode } }
}

/** As previews and invoice items take it. */
export function previewedDiscount(discount: OnceOff) {
  const { couponCode } = discount
  return {
    ...creditOf(discount),
    ...taxParams(discount),
    description: couponCode,
    metadata: { [couponMark]: couponCode },
  }
}

/** A price of the product has its tax code. */
function priceOf(line: OnceOff | PaidBefore) {
  const { amount: unit_amount, currency } = creditOf(line)
  const { tax_behavior } = taxParams(line)
  return { currency, product: line.productId, unit_amount, ...(tax_behavior && { tax_behavior }) }
}

function taxParams({ taxBehavior, taxCode }: LineTax) {
  return { ...(taxBehavior && { tax_behavior: taxBehavior }), ...(taxCode && { tax_code: taxCode }) }
}

function creditOf({ amount, currency }: { amount: number; currency: string }) {
  return { amount: -providerAmount(amount, currency), currency: currency.toLowerCase() }
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000
}
