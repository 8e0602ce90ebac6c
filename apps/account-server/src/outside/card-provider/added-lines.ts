import type Stripe from 'stripe'
import type { BilledLine } from '../billed-invoice.ts'
import { providerAmount } from './minor-units.ts'

/** A discount of our own making: to the minor unit as shown, whatever is prorated. */
export interface OnceOff {
  couponCode: string
  /** In minor units of `currency`; positive. */
  amount: number
  currency: string
  /** The provider's product that is bought: the discount is taxed like it. */
  productId: string
}

/** What the Owner before has paid for an item, until the new Owner's first charge: it is credited once. */
export interface PaidBefore {
  priceId: string
  productId: string
  quantity: number
  /** In minor units of `currency`; positive. */
  amount: number
  currency: string
  /** ISO 8601, whole seconds. */
  from: string
  to: string
  /** Of the price, so that the credit is taxed like it; empty: the provider's default. */
  taxBehavior: 'exclusive' | 'inclusive' | ''
}

/** Negative lines of a change's own invoice. */
export interface AddedLines {
  /** Taken off once. */
  discount?: OnceOff | undefined
  paidBefore?: readonly PaidBefore[] | undefined
}

/** The metadata of a line with which a coupon takes something off. */
export const couponMark = 'coupon'

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
  const { productId: product, taxBehavior } = paid
  const { amount: unit_amount, currency } = creditOf(paid)
  return {
    price_data: { currency, product, unit_amount, ...(taxBehavior && { tax_behavior: taxBehavior }) },
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
    ...(paid.taxBehavior && { tax_behavior: paid.taxBehavior }),
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
  const { amount: unit_amount, currency } = creditOf(discount)
  return {
    price_data: { currency, product: discount.productId, unit_amount },
    metadata: { [couponMark]: discount.couponCode },
  }
}

function previewedDiscount(discount: OnceOff): Stripe.InvoiceCreatePreviewParams.InvoiceItem {
  const { couponCode } = discount
  return { ...creditOf(discount), description: couponCode, metadata: { [couponMark]: couponCode } }
}

function creditOf({ amount, currency }: { amount: number; currency: string }) {
  return { amount: -providerAmount(amount, currency), currency: currency.toLowerCase() }
}

function secondsOf(instant: string): number {
  return Date.parse(instant) / 1000
}
