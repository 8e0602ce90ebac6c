import type Stripe from 'stripe'
import type { DeclinedPayment, StoredPaidCard } from '../billed-invoice.ts'
import { callProvider, declineFrom } from './failure.ts'
import { minorUnits } from './minor-units.ts'

/** What is open of a subscription. */
export interface OpenInvoice {
  /** What is left to pay, in minor units. */
  amount: number
  /** Where the customer pays it. */
  url: string
  /** When it was asked for first, or was due; of the oldest one that is open. */
  since: Date
  /** The same of each one that is open, newest first. */
  dates: readonly Date[]
  /**
   * The same of the oldest one that the provider still tries to collect: its retries run out first, and end the subscription, as long as
   * its latest invoice is not paid. Null: none is tried any more.
   */
  retriedSince: Date | null
  nextAttemptAt: Date | null
  /** Whether the bank waits for the customer's confirmation. */
  needsConfirmation: boolean
  /** Why the last payment failed, as the provider's code; empty: it does not say, or none has failed. */
  declineCode: string
  /** The card of that payment; null: not known. */
  declinedCard: StoredPaidCard | null
  /** When it was tried; null: not known. */
  declinedAt: Date | null
}

/**
 * What the bank asks, or has refused, of an open invoice.
 * @param status of its subscription
 */
export async function lastPaymentOf(stripe: Stripe, { invoice, status }: { invoice: string; status: string }) {
  const page = { invoice, limit: 100, expand: ['data.payment.payment_intent.latest_charge'] }
  const { data } = await callProvider(() => stripe.invoicePayments.list(page))
  const intents = data.flatMap(({ payment: { payment_intent: intent } }) =>
    typeof intent === 'object' && intent !== null ? [intent] : [],
  )
  const isAsking = intents.some((intent) => intent.status === 'requires_action')
  const refused = isAsking ? undefined : intents.find((intent) => intent.last_payment_error)
  const refusal = refused?.last_payment_error
  const charge = refused?.latest_charge
  return {
    needsConfirmation: isAsking && status === 'past_due',
    declineCode: declineFrom(refusal).declineCode,
    declinedCard: cardOf(refusal?.payment_method),
    declinedAt: typeof charge === 'object' && charge !== null ? dateOf(charge.created) : null,
  }
}

/** Asked for only where a payment has failed. */
export async function lastDeclineOf(stripe: Stripe, invoice: Stripe.Invoice): Promise<DeclinedPayment | null> {
  const { id, status, attempt_count: attempts } = invoice
  if (status !== 'open' || attempts === 0) return null
  const { declineCode: code, declinedCard, declinedAt } = await lastPaymentOf(stripe, { invoice: id, status })
  if (code === '' && declinedAt === null) return null
  const card = declinedCard && { brand: declinedCard.brand, last4: declinedCard.last4 }
  return { code, card, at: declinedAt?.toISOString() ?? null }
}

/** What the vendor has written off can be paid all the same, until it is voided. */
export function isPayable(status: Stripe.Invoice.Status | null): boolean {
  return status === 'open' || status === 'uncollectible'
}

export function openInvoiceFrom(invoice: Stripe.Invoice): OpenInvoice | null {
  return isPayable(invoice.status) && invoice.amount_remaining > 0 ? owedFrom([invoice], invoice) : null
}

/**
 * What is owed in all. A draft has no page, and the page of another one would take less than what is shown.
 * @param owed newest first @param oldest of them
 */
export function owedFrom(owed: readonly Stripe.Invoice[], oldest: Stripe.Invoice): OpenInvoice {
  const left = owed.reduce((sum, { amount_remaining: one }) => sum + one, 0)
  const hasDraft = owed.some(({ status }) => status === 'draft')
  return {
    amount: minorUnits(left, oldest.currency.toUpperCase()),
    url: (!hasDraft && oldest.hosted_invoice_url) || '',
    since: sinceOf(oldest),
    dates: owed.map(sinceOf),
    retriedSince: retriedSinceOf(owed),
    nextAttemptAt: dateOrNull(oldest.next_payment_attempt),
    needsConfirmation: false,
    declineCode: '',
    declinedCard: null,
    declinedAt: null,
  }
}

function cardOf(method: Stripe.PaymentMethod | undefined): OpenInvoice['declinedCard'] {
  return method?.card ? { id: method.id, brand: method.card.brand, last4: method.card.last4 } : null
}

/** An invoice that is sent is due some days later. */
function sinceOf({
  collection_method: how,
  due_date: due,
  status_transitions: moments,
  created,
}: Stripe.Invoice): Date {
  return dateOf((how === 'send_invoice' ? due : null) ?? moments.finalized_at ?? created)
}

/** @param invoices open ones, newest first */
function retriedSinceOf(invoices: readonly Stripe.Invoice[]): Date | null {
  const oldest = invoices.findLast(({ next_payment_attempt: next }) => next !== null)
  return oldest ? sinceOf(oldest) : null
}

export function dateOf(seconds: number): Date {
  return new Date(seconds * 1000)
}

export function dateOrNull(seconds: number | null): Date | null {
  return seconds === null ? null : dateOf(seconds)
}
