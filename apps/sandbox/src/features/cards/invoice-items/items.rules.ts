import Stripe from 'stripe'
import { newLine, pricingOf } from '../money/lines.rules.ts'
import type { Period } from '../money/proration.rules.ts'
import type { Debit, Line } from '../store/billing-hidden.ts'
import type { StoredOf } from '../store/stored.ts'
import { newId } from '../wire/ids.rules.ts'

export type StoredItem = StoredOf<'invoiceitem'>

interface NewItem {
  customer: string
  amount: number
  currency: string
  description: string | null
  period: Period
  price: Stripe.Price | null
  quantity: number
  taxBehavior: string | null
  /** Its own; left out: its product's, or the account's. */
  taxCode?: string | undefined
  metadata: Stripe.Metadata
  /** Epoch seconds. */
  now: number
  discountable: boolean
  subscription: { id: string; item?: string | undefined } | null
  /** Missing for what is no proration. */
  proration?: { credited: Debit | null }
}

/** An invoice item that is on no invoice yet. */
export function newInvoiceItem(given: NewItem): StoredItem {
  const { amount, currency, customer, description, price, quantity, period, subscription, proration } = given
  const object: Stripe.InvoiceItem = {
    id: newId('ii_'),
    object: 'invoiceitem',
    amount,
    currency,
    customer,
    customer_account: null,
    date: given.now,
    description,
    discountable: given.discountable,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: given.metadata,
    // Known before the invoice only where no discount can apply.
    ...(!given.discountable && { net_amount: amount }),
    parent: subscription && {
      subscription_details: {
        subscription: subscription.id,
        ...(subscription.item !== undefined && { subscription_item: subscription.item }),
      },
      type: 'subscription_details',
    },
    period,
    pricing: price && pricingOf(price),
    proration: proration !== undefined,
    ...(proration && {
      proration_details: { credited_items: creditedByItem(proration.credited), discount_amounts: [] },
    }),
    quantity,
    quantity_decimal: Stripe.Decimal.from(quantity),
    tax_rates: [],
    test_clock: null,
  }
  const taxBehavior = given.taxBehavior === 'inclusive' ? 'inclusive' : 'exclusive'
  const { taxCode } = given
  return { kind: 'invoiceitem', object, hidden: { taxBehavior, ...(taxCode !== undefined && { taxCode }) } }
}

function creditedByItem(debit: Debit | null): Stripe.InvoiceItem.ProrationDetails.CreditedItems | null {
  if (debit?.invoice && debit.line) {
    const invoice_line_item_details = { invoice: debit.invoice, invoice_line_items: [debit.line] }
    return { invoice_line_item_details, type: 'invoice_line_items' }
  }
  return debit?.invoiceItem ? { invoice_item: debit.invoiceItem, type: 'invoice_item' } : null
}

/** The line of an invoice that shows an invoice item. */
export function lineOfItem({ object, hidden }: StoredItem): Line {
  const { line, ...rest } = newLine({
    amount: object.amount,
    currency: object.currency,
    description: object.description,
    discountable: object.discountable,
    metadata: object.metadata ?? {},
    parent: lineParent(object),
    period: object.period,
    price: null,
    quantity: object.quantity,
    subscription: object.parent?.subscription_details?.subscription ?? null,
    taxBehavior: hidden.taxBehavior,
  })
  const { taxCode } = hidden
  return { ...rest, ...(taxCode !== undefined && { taxCode }), line: { ...line, pricing: object.pricing } }
}

function lineParent(item: Stripe.InvoiceItem): Stripe.InvoiceLineItem.Parent {
  const details = item.parent?.subscription_details
  const credited = item.proration_details?.credited_items?.invoice_line_item_details ?? null
  const common = {
    proration: item.proration,
    proration_details: item.proration ? { credited_items: credited } : null,
    subscription: details?.subscription ?? null,
  }
  const { subscription_item } = details ?? {}
  if (subscription_item === undefined) {
    return {
      invoice_item_details: { invoice_item: item.id, ...common },
      subscription_item_details: null,
      type: 'invoice_item_details',
    }
  }
  return {
    invoice_item_details: null,
    subscription_item_details: { invoice_item: item.id, subscription_item, ...common },
    type: 'subscription_item_details',
  }
}

/** The invoice item that a line shows. */
export function itemOfLine({ parent }: Stripe.InvoiceLineItem): string | null {
  return parent?.invoice_item_details?.invoice_item ?? parent?.subscription_item_details?.invoice_item ?? null
}
