import type Stripe from 'stripe'
import { type Applied, withDiscounts, withTaxes } from '../money/lines.rules.ts'
import type { InvoiceHidden, Line } from '../store/billing-hidden.ts'
import type { Taxation } from '../tax/tax.rules.ts'
import { newId, randomText } from '../wire/ids.rules.ts'
import { settled, totalsOf } from './totals.rules.ts'

/** How many lines the invoice itself shows. */
const shownLines = 10

export interface InvoiceParts {
  object: Stripe.Invoice
  hidden: InvoiceHidden
}

interface NewInvoice {
  customer: Stripe.Customer
  currency: string
  reason: string
  /** Epoch seconds. */
  now: number
  period?: { start: number; end: number }
  subscription?: { id: string; metadata: Stripe.Metadata; prorationDate?: number | undefined } | null
  isAutomaticTax: boolean
}

/** A draft without lines. */
export function newInvoice(given: NewInvoice): InvoiceParts {
  const { customer, currency, reason, now, period, subscription } = given
  const token = randomText(32)
  const object: Stripe.Invoice = {
    id: newId('in_'),
    object: 'invoice',
    account_country: 'US',
    account_name: 'Sandbox',
    ...absent,
    ...zero,
    auto_advance: true,
    automatic_tax: automaticTax(given.isAutomaticTax),
    automatically_finalizes_at: null,
    billing_reason: reason,
    collection_method: 'charge_automatically',
    created: now,
    currency,
    customer: customer.id,
    ...snapshotOf(customer),
    issuer: { type: 'self' },
    lines: { object: 'list', data: [], has_more: false, url: '' },
    livemode: false,
    metadata: {},
    parent: subscription ? parentOf(subscription) : null,
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: period?.end ?? now,
    period_start: period?.start ?? now,
    starting_balance: customer.balance,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
  }
  return { object, hidden: { lines: [], token, retries: 0, declinedMethod: null } }
}

/** What a new invoice does not have. */
const absent = {
  account_tax_ids: null,
  application: null,
  custom_fields: null,
  customer_account: null,
  default_payment_method: null,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  due_date: null,
  effective_at: null,
  ending_balance: null,
  footer: null,
  from_invoice: null,
  hosted_invoice_url: null,
  invoice_pdf: null,
  last_finalization_error: null,
  latest_revision: null,
  next_payment_attempt: null,
  number: null,
  on_behalf_of: null,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  webhooks_delivered_at: null,
} satisfies Partial<Stripe.Invoice>

const zero = {
  amount_due: 0,
  amount_overpaid: 0,
  amount_paid: 0,
  amount_remaining: 0,
  amount_shipping: 0,
  attempt_count: 0,
  attempted: false,
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  subtotal: 0,
  subtotal_excluding_tax: 0,
  total: 0,
  total_discount_amounts: [],
  total_excluding_tax: 0,
  total_pretax_credit_amounts: [],
  total_taxes: [],
} satisfies Partial<Stripe.Invoice>

function parentOf({ id, metadata, prorationDate }: NonNullable<NewInvoice['subscription']>): Stripe.Invoice.Parent {
  return {
    quote_details: null,
    subscription_details: {
      metadata,
      subscription: id,
      ...(prorationDate !== undefined && { subscription_proration_date: prorationDate }),
    },
    type: 'subscription_details',
  }
}

function automaticTax(enabled: boolean): Stripe.Invoice.AutomaticTax {
  return {
    disabled_reason: null,
    enabled,
    liability: enabled ? { type: 'self' } : null,
    provider: enabled ? 'stripe' : null,
    status: null,
  }
}

/** What an invoice keeps of its customer; a draft follows the customer, a finalized one does not. */
function snapshotOf(customer: Stripe.Customer) {
  return {
    customer_address: customer.address ?? null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: customer.shipping,
    customer_tax_exempt: customer.tax_exempt ?? 'none',
    customer_tax_ids: [],
  }
}

interface Basis {
  lines: readonly Line[]
  discounts: readonly Applied[]
  /** `undefined`: the customer's address does not say it. */
  taxation: Taxation | undefined
  customer: Stripe.Customer
  /** The smallest amount that can be charged. */
  least: number
}

/** A draft with its lines, sums, taxes, and what it takes from the customer's balance. */
export function calculated({ object, hidden }: InvoiceParts, basis: Basis): InvoiceParts {
  const { enabled } = object.automatic_tax
  const discounted = withDiscounts(basis.lines, basis.discounts)
  const lines = withTaxes(discounted, enabled ? (basis.taxation ?? null) : null).map(({ line, ...rest }) => ({
    ...rest,
    line: { ...line, invoice: object.id },
  }))
  const totals = totalsOf(lines)
  const { due } = settled(totals.total, basis.customer.balance, basis.least)
  return {
    hidden: { ...hidden, lines },
    object: {
      ...object,
      ...snapshotOf(basis.customer),
      ...totals,
      amount_due: due,
      amount_remaining: due,
      automatic_tax: enabled ? { ...object.automatic_tax, ...taxStatus(basis.taxation) } : object.automatic_tax,
      discounts: basis.discounts.map(({ id }) => id),
      lines: firstLines(object.id, lines),
      starting_balance: basis.customer.balance,
    },
  }
}

function taxStatus(taxation: Taxation | undefined): Pick<Stripe.Invoice.AutomaticTax, 'status'> {
  return { status: taxation ? 'complete' : 'requires_location_inputs' }
}

function firstLines(id: string, lines: readonly Line[]): Stripe.Invoice['lines'] {
  return {
    object: 'list',
    data: lines.slice(0, shownLines).map(({ line }) => line),
    has_more: lines.length > shownLines,
    url: `/v1/invoices/${id}/lines`,
  }
}
