import { emailForm } from '@atrium/contract/email.ts'
import { plainLine } from '@atrium/contract/text.ts'
import type Stripe from 'stripe'
import type { BilledInvoice, BilledLine, StoredPaidCard } from '../billed-invoice.ts'
import { creditedBy, isDiscount } from './added-lines.ts'
import { claimFrom } from './claims.ts'
import { callProvider } from './failure.ts'
import { longestPage, wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'
import { lastDeclineOf } from './open-invoices.ts'

/** Invoices of the card provider. */
export function invoiceCalls(stripe: Stripe) {
  /** An invoice holds only its first lines. */
  const allLines = ({ id, lines }: Stripe.Invoice) =>
    wholeList((page) => stripe.invoices.listLineItems(id, page), lines)

  const whole = async (invoice: Stripe.Invoice): Promise<BilledInvoice> => ({
    ...invoiceFrom(invoice, await allLines(invoice)),
    lastDecline: await lastDeclineOf(stripe, invoice),
  })

  return {
    readInvoice: async (id: string) => whole(await callProvider(() => stripe.invoices.retrieve(id))),

    /** The card that paid an invoice; undefined: something else did. */
    async cardOfInvoice(invoice: string): Promise<StoredPaidCard | undefined> {
      const page = { invoice, status: 'paid', limit: longestPage } as const
      const expand = ['data.payment.payment_intent.payment_method']
      const { data } = await callProvider(() => stripe.invoicePayments.list({ ...page, expand }))
      return data.flatMap(({ payment }) => cardOfPayment(payment.payment_intent) ?? [])[0]
    },

    /** Ids of all invoices of a customer, oldest first. */
    async invoiceIdsOf(customer: string): Promise<string[]> {
      const all = await wholeList((page) => stripe.invoices.list({ customer, ...page }))
      return all.map(({ id }) => id).reverse()
    },

    /** A page of all invoices, newest first. @param after id of the last one of the page before */
    async invoicesAfter(after?: string): Promise<{ invoices: BilledInvoice[]; hasMore: boolean }> {
      const page = { limit: longestPage, ...(after && { starting_after: after }) }
      const { data, has_more: hasMore } = await callProvider(() => stripe.invoices.list(page))
      const invoices: BilledInvoice[] = []
      for (const invoice of data) invoices.push(await whole(invoice))
      return { invoices, hasMore }
    },
  }
}

/** Whether an invoice is of a change within a period, not of the period itself. */
export function isOfChange({ billing_reason: reason }: Stripe.Invoice): boolean {
  return reason === 'subscription_update'
}

export function invoiceFrom(invoice: Stripe.Invoice, all: readonly Stripe.InvoiceLineItem[]): BilledInvoice {
  const lines = all.filter((line) => !isDiscount(line)).toSorted(creditsFirst)
  const taken = sumOf(all.filter(isDiscount))
  const { customer, parent, status_transitions: moments } = invoice
  const subscription = parent?.subscription_details?.subscription
  const currency = invoice.currency.toUpperCase()
  const inMinorUnits = (amount: number) => minorUnits(amount, currency)
  return {
    id: invoice.id,
    channel: 'card',
    number: invoice.number ?? '',
    customerId: (typeof customer === 'string' ? customer : customer?.id) ?? '',
    subscriptionId: (typeof subscription === 'string' ? subscription : subscription?.id) ?? '',
    status: invoice.status ?? 'draft',
    isOfChange: isOfChange(invoice),
    isAttempted: invoice.attempt_count > 0,
    claim: claimFrom(invoice),
    lines: lines.map((line) => ({
      ...lineFrom(line),
      amount: inMinorUnits(line.amount),
      discount: inMinorUnits(sumOf(line.discount_amounts)),
    })),
    discount: inMinorUnits(sumOf(invoice.total_discount_amounts) - taken),
    tax: inMinorUnits(sumOf(invoice.total_taxes)),
    total: inMinorUnits(invoice.total),
    charged: inMinorUnits(invoice.amount_due),
    balanceBefore: inMinorUnits(invoice.starting_balance),
    currency,
    createdAt: new Date(invoice.created * 1000),
    finalizedAt: moments.finalized_at === null ? null : new Date(moments.finalized_at * 1000),
    paidAt: moments.paid_at === null ? null : new Date(moments.paid_at * 1000),
    buyer: {
      name: plainLine(invoice.customer_name ?? ''),
      email: emailForm(invoice.customer_email ?? ''),
      address: addressLines(invoice.customer_address),
      country: invoice.customer_address?.country ?? '',
      taxIds: (invoice.customer_tax_ids ?? []).flatMap(({ value }) => plainLine(value ?? '') || []),
      isReverseCharge:
        invoice.customer_tax_exempt === 'reverse' ||
        (invoice.total_taxes ?? []).some(({ taxability_reason: reason }) => reason === 'reverse_charge'),
    },
    pdfUrl: invoice.invoice_pdf ?? '',
    payUrl: (invoice.status === 'open' && invoice.amount_remaining > 0 && invoice.hosted_invoice_url) || '',
  }
}

function lineFrom(line: Stripe.InvoiceLineItem): Omit<BilledLine, 'amount' | 'discount'> {
  const { parent, pricing, period } = line
  const price = pricing?.price_details?.price
  return {
    text: withoutUnitPrice(plainLine(line.description ?? '')),
    priceId: (typeof price === 'string' ? price : price?.id) ?? '',
    productId: pricing?.price_details?.product ?? '',
    quantity: line.quantity ?? 1,
    isProration: (parent?.subscription_item_details?.proration ?? parent?.invoice_item_details?.proration) === true,
    periodStart: new Date(period.start * 1000),
    periodEnd: new Date(period.end * 1000),
    ...creditedBy(line),
  }
}

/**
 * The provider's words for a line without what one costs, `3 × Folio (at $10.00 / month)`: an amount stands where it is known to be one,
 * so that it can be hidden.
 */
export function withoutUnitPrice(text: string): string {
  return text.replaceAll(/\s*\((?:Tier \d+ )?at [^()]*\d[^()]*\)/gi, '')
}

/** What was paid before stands where the provider puts its own credits. */
function creditsFirst(one: Stripe.InvoiceLineItem, other: Stripe.InvoiceLineItem): number {
  return Number(creditedBy(other) !== undefined) - Number(creditedBy(one) !== undefined)
}

function cardOfPayment(intent: string | Stripe.PaymentIntent | undefined): StoredPaidCard | undefined {
  const method = typeof intent === 'object' ? intent.payment_method : null
  if (typeof method !== 'object' || !method?.card) return undefined
  return { id: method.id, brand: method.card.brand, last4: method.card.last4 }
}

function sumOf(amounts: readonly { amount: number }[] | null): number {
  return (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
}

function addressLines(address: Stripe.Address | null): string[] {
  const { line1 = '', line2 = '', city = '', state = '', postal_code: zip = '' } = address ?? {}
  const place = [city, state, zip].filter(Boolean).join(', ')
  return [line1, line2, place].flatMap((line) => plainLine(line ?? '') || [])
}
