import type Stripe from 'stripe'
import type { BilledInvoice } from '../billed-invoice.ts'
import { type Decline, noDecline, ProviderFailure } from '../provider-failure.ts'
import { type OnceOff, previewedDiscount } from './added-lines.ts'
import { intentOf, secondsOf } from './change-results.ts'
import { callProvider, declineFrom } from './failure.ts'
import { invoiceFrom } from './invoices.ts'
import { wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'
import { isPayable } from './open-invoices.ts'
import { type PayingCard, usualCard } from './plan-previews.ts'

/** A time that is paid once: nothing at the provider renews it. */
export interface PrepaidTerm {
  customerId: string
  items: readonly { priceId: string; quantity: number }[]
  periodStart: Date
  periodEnd: Date
  /** Taken off once. */
  discount: OnceOff | undefined
  /** ISO 4217, upper case. */
  currency: string
  /** Whether the provider computes and adds the tax. */
  isTaxed: boolean
}

interface PrepaidInvoice extends PrepaidTerm {
  operationId: string
  /** Of our subscription; the provider has none. */
  subscriptionId: string
}

/** An invoice, and what is about to be done with it. */
interface Step {
  invoiceId: string
  operationId: string
}

/** How an invoice of a prepaid term stands. */
export interface PrepaidPayment extends Decline {
  invoiceId: string
  /** `untried`: nobody was charged yet. `void`: nobody will be. */
  state: 'paid' | 'requires_action' | 'declined' | 'untried' | 'void'
  /** What it asks for, in minor units. */
  charged: number
  /** For the provider's browser SDK; empty unless the bank asks. */
  clientSecret: string
}

/** Invoices of the vendor's own, each for one prepaid term. */
export function prepaidInvoiceCalls(stripe: Stripe) {
  const outcomes = outcomeCalls(stripe)
  return {
    ...outcomes,

    /** What a term would cost now, and the card that would pay it; nothing is stored. */
    async previewPrepaid(term: PrepaidTerm): Promise<{ invoice: BilledInvoice; card: PayingCard | null }> {
      const currency = term.currency.toLowerCase()
      const items = term.items.map(({ priceId: price, quantity }) => ({ price, quantity, period: periodOf(term) }))
      const discounts = term.discount ? [previewedDiscount(term.discount)] : []
      const asked = {
        ...{ customer: term.customerId, currency, automatic_tax: { enabled: term.isTaxed } },
        invoice_items: [...items, ...discounts],
        expand: ['customer.invoice_settings.default_payment_method'],
      }
      const invoice = await callProvider(() => stripe.invoices.createPreview(asked))
      return { invoice: invoiceFrom(invoice, invoice.lines.data), card: usualCard(invoice) }
    },

    /** An empty draft that the provider does not collect by itself. @returns its id */
    async createPrepaid({ operationId, subscriptionId, ...term }: PrepaidInvoice): Promise<string> {
      const asked = {
        ...{ customer: term.customerId, currency: term.currency.toLowerCase(), auto_advance: false },
        automatic_tax: { enabled: term.isTaxed },
        pending_invoice_items_behavior: 'exclude' as const,
        metadata: { [operationMark]: operationId, subscription: subscriptionId },
      }
      const create = () => stripe.invoices.create(asked, { idempotencyKey: `${operationId}-create` })
      return (await callProvider(create)).id
    },

    async addPrepaidLines({ invoiceId, operationId }: Step, term: PrepaidTerm): Promise<void> {
      const items = term.items.map(({ priceId: price, quantity }) => ({
        ...{ pricing: { price }, quantity, period: periodOf(term) },
      }))
      const key = { idempotencyKey: `${operationId}-lines` }
      await callProvider(() => stripe.invoices.addLines(invoiceId, { lines: items }, key))
    },

    /** Lines that are added say neither how they are taxed nor, with a price of their own, what they take off: an invoice item does. */
    async addPrepaidDiscount({ invoiceId: invoice, operationId }: Step, { customerId, discount }: PrepaidTerm) {
      if (!discount) return
      const asked = { ...previewedDiscount(discount), customer: customerId, invoice }
      const key = { idempotencyKey: `${operationId}-discount` }
      await callProvider(() => stripe.invoiceItems.create(asked, key))
    },

    /** @returns what it asks for; it is paid already if that is nothing */
    async finalizePrepaid({ invoiceId, operationId }: Step): Promise<{ charged: number; isPaid: boolean }> {
      const key = { idempotencyKey: `${operationId}-finalize` }
      const invoice = await callProvider(() => stripe.invoices.finalizeInvoice(invoiceId, { auto_advance: false }, key))
      return { charged: chargedBy(invoice), isPaid: invoice.status === 'paid' }
    },

    /** Charges a card: it is paid at once, or the bank asks or refuses. */
    async payPrepaid({ invoiceId, operationId }: Step, paymentMethodId: string): Promise<PrepaidPayment> {
      const asked = { payment_method: paymentMethodId, off_session: false }
      try {
        const key = { idempotencyKey: `${operationId}-pay` }
        const paid = await callProvider(() => stripe.invoices.pay(invoiceId, asked, key))
        return { ...nothingOpen, invoiceId, state: 'paid', charged: chargedBy(paid) }
      } catch (error) {
        if (!(error instanceof ProviderFailure)) throw error
        // Also what the bank asks is an error here; and it may have been paid in the meantime.
        if (!['refused', 'action_required', 'invalid'].includes(error.kind)) throw error
        const now = await outcomes.readPrepaid(invoiceId)
        if (now.state === 'untried' || now.state === 'void') throw error
        return now
      }
    },
  }
}

/** What became of invoices. */
function outcomeCalls(stripe: Stripe) {
  return {
    readPrepaid,

    /** What an operation has made for a customer; undefined: nothing. */
    async findPrepaid(customer: string, operationId: string): Promise<PrepaidPayment | undefined> {
      // The newest ones: it was made a minute ago.
      const { data } = await callProvider(() => stripe.invoices.list({ customer, limit: 100 }))
      const made = data.find(({ metadata }) => metadata?.[operationMark] === operationId)
      return made && paymentOf(made)
    },

    /** The operation that has made an invoice; empty: none of ours. */
    async operationOfInvoice(id: string): Promise<string> {
      const { metadata } = await callProvider(() => stripe.invoices.retrieve(id))
      return metadata?.[operationMark] ?? ''
    },

    /** Takes an invoice back that was not paid, so that nobody is charged for it later. @returns how it stands after it */
    async discardPrepaid(invoiceId: string): Promise<PrepaidPayment> {
      const { status } = await callProvider(() => stripe.invoices.retrieve(invoiceId))
      if (status === 'draft') {
        await removeLines(invoiceId)
        await callProvider(() => stripe.invoices.del(invoiceId))
        return { ...nothingOpen, invoiceId, state: 'void', charged: 0 }
      }
      if (isPayable(status)) await callProvider(() => stripe.invoices.voidInvoice(invoiceId)).catch(unlessPaid)
      return readPrepaid(invoiceId)
    },
  }

  /** A deleted draft would leave what is on it to the customer's next invoice. */
  async function removeLines(invoice: string): Promise<void> {
    const drafted = await wholeList((page) => stripe.invoices.listLineItems(invoice, page))
    const lines = drafted.map(({ id }) => ({ id, behavior: 'delete' as const }))
    if (lines.length > 0) await callProvider(() => stripe.invoices.removeLines(invoice, { lines }))
  }

  async function readPrepaid(id: string): Promise<PrepaidPayment> {
    return paymentOf(await callProvider(() => stripe.invoices.retrieve(id)))
  }

  async function paymentOf(invoice: Stripe.Invoice): Promise<PrepaidPayment> {
    const facts = { ...nothingOpen, invoiceId: invoice.id, charged: chargedBy(invoice) }
    if (invoice.status === 'paid') return { ...facts, state: 'paid' }
    if (invoice.status === 'draft') return { ...facts, state: 'untried' }
    if (!isPayable(invoice.status)) return { ...facts, state: 'void' }
    const intent = await intentOf(stripe, invoice.id)
    if (intent?.status === 'requires_action') {
      return { ...facts, state: 'requires_action', clientSecret: intent.client_secret ?? '' }
    }
    const refusal = intent?.last_payment_error
    if (!refusal) return { ...facts, state: 'untried' }
    return { ...facts, state: 'declined', ...declineFrom(refusal) }
  }
}

/** The metadata that tells which operation has made an invoice. */
const operationMark = 'operation'

const nothingOpen = { clientSecret: '', ...noDecline }

/** It was paid, or taken back, in the meantime. */
function unlessPaid(error: unknown): void {
  if (!(error instanceof ProviderFailure && error.kind === 'invalid')) throw error
}

function chargedBy({ amount_due: due, currency }: Stripe.Invoice): number {
  return minorUnits(due, currency.toUpperCase())
}

function periodOf({ periodStart, periodEnd }: PrepaidTerm) {
  return { start: secondsOf(periodStart), end: secondsOf(periodEnd) }
}
