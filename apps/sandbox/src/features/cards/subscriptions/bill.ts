import type Stripe from 'stripe'
import { itemOfLine, lineOfItem, newInvoiceItem, type StoredItem } from '../invoice-items/items.rules.ts'
import { attachItems } from '../invoice-items/items.writes.ts'
import { recalculated } from '../invoices/draft.ts'
import { type InvoiceParts, newInvoice } from '../invoices/invoice.rules.ts'
import { type StoredInvoice, saveDraft } from '../invoices/invoices.writes.ts'
import { netOf, newLine } from '../money/lines.rules.ts'
import type { Call } from '../requests/call.ts'
import type { Debit, Line } from '../store/billing-hidden.ts'
import { oneByOne } from '../store/one-by-one.ts'
import { find } from '../store/store.ts'
import { idOf } from '../store/stored.ts'
import { epochSeconds } from '../wire/ids.rules.ts'
import type { ChangePlan, Proration } from './change.rules.ts'
import { amountOf } from './items.rules.ts'
import { creditText, periodText, remainderText, trialText } from './texts.rules.ts'

interface Bill {
  subscription: Stripe.Subscription
  customer: Stripe.Customer
  reason: string
  /** Items that are charged for a whole period. */
  items: readonly Stripe.SubscriptionItem[]
  /** The period is free. */
  isTrial?: boolean
  /** Pending ones, and new ones. */
  invoiceItems: readonly StoredItem[]
  /** Of a change. */
  prorationDate?: number | undefined
}

/** The invoice of a subscription, not stored: the same for a preview and for what is charged. */
export async function billOf(call: Call, bill: Bill): Promise<InvoiceParts> {
  const { subscription, customer, reason, items, invoiceItems } = bill
  const draft = newInvoice({
    customer,
    currency: subscription.currency,
    reason,
    now: epochSeconds(call.now),
    subscription: { id: subscription.id, metadata: subscription.metadata, prorationDate: bill.prorationDate },
    isAutomaticTax: subscription.automatic_tax.enabled,
  })
  const periods = await oneByOne(items, async (item) =>
    periodLine(item, {
      product: await productName(call, item),
      isTrial: bill.isTrial ?? false,
      metadata: subscription.metadata,
    }),
  )
  const parts = {
    ...draft,
    object: { ...draft.object, default_payment_method: null, description: null },
  }
  return recalculated(call, parts, {
    customer,
    lines: [...invoiceItems.map(lineOfItem), ...periods],
    discounts: subscription.discounts,
  })
}

interface PeriodOf {
  product: string
  isTrial: boolean
  /** Of the subscription. */
  metadata: Stripe.Metadata
}

function periodLine(item: Stripe.SubscriptionItem, { product, isTrial, metadata }: PeriodOf): Line {
  return newLine({
    amount: isTrial ? 0 : amountOf(item),
    currency: item.price.currency,
    description: isTrial ? trialText(product) : periodText(item, product),
    discountable: true,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: null,
        subscription: item.subscription,
        subscription_item: item.id,
      },
      type: 'subscription_item_details',
    },
    period: { start: item.current_period_start, end: item.current_period_end },
    price: item.price,
    quantity: item.quantity ?? 1,
    subscription: item.subscription,
    taxBehavior: item.price.tax_behavior,
  })
}

export async function productName(call: Call, { price }: Pick<Stripe.SubscriptionItem, 'price'>): Promise<string> {
  const product = await find(call.tx, 'product', idOf(price.product) ?? '')
  return product?.object.name ?? 'Deleted product'
}

/** The invoice items of a change, not stored. */
export async function prorationItems(
  call: Call,
  { id, customer, currency }: Pick<Stripe.Subscription, 'id' | 'customer' | 'currency'>,
  { prorations }: Pick<ChangePlan, 'prorations'>,
): Promise<StoredItem[]> {
  return oneByOne(prorations, async (proration) => {
    const { item, credited, period } = proration
    const product = await productName(call, item)
    return newInvoiceItem({
      customer: idOf(customer) ?? '',
      amount: proration.amount,
      currency,
      description: textOf(proration, product),
      period,
      price: item.price,
      quantity: proration.quantity,
      taxBehavior: item.price.tax_behavior,
      metadata: {},
      now: epochSeconds(call.now),
      discountable: false,
      subscription: { id, item: item.id },
      proration: { credited },
    })
  })
}

function textOf({ amount, credited, period, quantity }: Proration, product: string): string {
  const isCredit = credited !== null || amount < 0
  return isCredit ? creditText(product, quantity, period.start) : remainderText(product, quantity, period.start)
}

/** Stores the invoice of a subscription as a draft, with its invoice items on it. */
export async function saveBill(call: Call, parts: InvoiceParts, items: readonly StoredItem[]): Promise<StoredInvoice> {
  await attachItems(call, items, parts.object.id)
  return saveDraft(call, parts)
}

/** What was charged so far, with what an invoice charges. */
export function debitsWith(debits: readonly Debit[], { object, hidden }: InvoiceParts): Debit[] {
  const charged = hidden.lines.flatMap((line) => debitOf(line, object.id))
  const replaced = new Set(charged.map(({ invoiceItem }) => invoiceItem))
  return [...debits.filter(({ invoiceItem }) => invoiceItem === null || !replaced.has(invoiceItem)), ...charged]
}

function debitOf(line: Line, invoice: string): Debit[] {
  const { parent, period, quantity, pricing, id } = line.line
  const details = parent?.subscription_item_details
  const amount = netOf(line)
  if (!details || amount <= 0) return []
  return [
    {
      item: details.subscription_item,
      amount,
      ...period,
      price: idOf(pricing?.price_details?.price) ?? '',
      quantity: quantity ?? 1,
      invoiceItem: itemOfLine(line.line),
      invoice,
      line: id,
    },
  ]
}

/** What pending invoice items will charge: a later change credits it too. */
export function pendingDebits(items: readonly StoredItem[]): Debit[] {
  return items.flatMap(({ object }) => {
    const item = object.parent?.subscription_details?.subscription_item
    if (!object.proration || object.amount <= 0 || item === undefined) return []
    const price = idOf(object.pricing?.price_details?.price) ?? ''
    const { id, amount, period, quantity } = object
    return [{ item, amount, ...period, price, quantity, invoiceItem: id, invoice: null, line: null }]
  })
}
