import type Stripe from 'stripe'
import { wholeSteps } from '../charge-steps.rules.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { secondsOf } from './change-results.ts'
import { callProvider } from './failure.ts'
import { longestPage, wholeList } from './lists.ts'
import { chargeStep, minorUnits, providerAmount } from './minor-units.ts'

interface InvoiceRefund {
  invoiceId: string
  /** In minor units of `currency`. */
  amount: number
  currency: string
  operationId: string
}

interface OtherUse {
  invoiceId: string
  /** Since when; whole seconds count. */
  since: Date
}

/** A payment of an invoice, in minor units of its currency. */
interface PaidPart {
  /** Of the payment intent. */
  id: string
  amount: number
  refunds: readonly Stripe.Refund[]
}

/** The metadata that tells which operation has refunded. */
const mark = 'operation'

/** A refund that failed or was canceled gives nothing back; a pending one is on its way to the customer. */
export const given: ReadonlySet<string | null> = new Set(['succeeded', 'pending'])

/** What the card provider gives back of the payments of an invoice. */
export function givingBackCalls(stripe: Stripe) {
  /** Every refund of a payment, whatever became of it. */
  const refundsOfPayment = (payment: string) =>
    wholeList((page) => stripe.refunds.list({ payment_intent: payment, ...page }))

  /** What was paid of an invoice by the provider, with every refund of it. */
  async function paymentsOfInvoice(invoice: string): Promise<PaidPart[]> {
    const page = { invoice, status: 'paid', limit: longestPage } as const
    const { data } = await callProvider(() => stripe.invoicePayments.list(page))
    const parts: PaidPart[] = []
    for (const { payment, amount_paid: amount, currency } of data) {
      if (!payment.payment_intent) continue
      const id = idOf(payment.payment_intent)
      parts.push({ id, amount: minorUnits(amount ?? 0, currency.toUpperCase()), refunds: await refundsOfPayment(id) })
    }
    return parts
  }

  return {
    paymentsOfInvoice,

    /**
     * Refunds a part of what an invoice charged, of one payment after the other, each once, in steps of what can be refunded.
     * @param amount in minor units of `currency`
     * @throws ProviderFailure `invalid` if less than that is left of its payments
     */
    async refundInvoice(refund: InvoiceRefund): Promise<void> {
      const { currency, operationId } = refund
      const { parts, isShort } = refundPlan(await paymentsOfInvoice(refund.invoiceId), refund)
      for (const { id, part } of parts) {
        const asked = {
          payment_intent: id,
          amount: providerAmount(part, currency),
          metadata: { [mark]: operationId },
        }
        await callProvider(() => stripe.refunds.create(asked, { idempotencyKey: `${operationId}-${id}` }))
      }
      if (isShort) throw new ProviderFailure('invalid', new Error('less than that is left of its payments'))
    },

    /**
     * What the customer's other invoices have used of their credit, in minor units. A voided one counts as well, since the credit
     * is the customer's again; so does one that was too small to charge, since the next invoice collects it.
     */
    async creditUsedElsewhere({ invoiceId, since }: OtherUse): Promise<number> {
      const { customer } = await callProvider(() => stripe.invoices.retrieve(invoiceId))
      if (!customer) return 0
      // A draft of any age may have been finalized since.
      const all = await wholeList((page) => stripe.invoices.list({ customer: idOf(customer), ...page }))
      return all
        .filter(({ id }) => id !== invoiceId)
        .filter(({ status_transitions: { finalized_at: at } }) => at !== null && at >= secondsOf(since))
        .map(({ starting_balance: before, ending_balance: after, currency }) =>
          minorUnits(Math.max(0, (after ?? before) - before), currency.toUpperCase()),
        )
        .reduce((sum, used) => sum + used, 0)
    },

    /** Whether an operation has refunded all that it was to refund. */
    async isRefunded(refund: InvoiceRefund): Promise<boolean> {
      const { parts, isShort } = refundPlan(await paymentsOfInvoice(refund.invoiceId), refund)
      return parts.length === 0 && !isShort
    },
  }
}

/**
 * What is still to be refunded of each payment: in whole steps, rather more than less, of a payment that ends otherwise all but the
 * rest.
 * @returns `isShort` if more than such a rest is then missing
 */
function refundPlan(paid: readonly PaidPart[], { amount, currency, operationId }: InvoiceRefund) {
  const step = chargeStep(currency)
  const refunded = refundedBy(paid, operationId)
  let left = wholeSteps(amount - refunded, step)
  const parts: { id: string; part: number }[] = []
  for (const { id, amount: asMuch, refunds } of paid) {
    if (refundsOf(refunds, operationId).length > 0) continue
    const rest = asMuch - sumOf(refunds.filter(({ status }) => given.has(status)))
    const part = Math.min(left, rest - (rest % step))
    if (part <= 0) continue
    parts.push({ id, part })
    left -= part
  }
  const planned = parts.reduce((sum, { part }) => sum + part, refunded)
  return { parts, isShort: amount - planned >= step }
}

export function sumOf(refunds: readonly Stripe.Refund[]): number {
  return refunds.reduce((sum, { amount, currency }) => sum + minorUnits(amount, currency.toUpperCase()), 0)
}

function refundsOf(refunds: readonly Stripe.Refund[], operationId: string): Stripe.Refund[] {
  return refunds.filter(({ metadata }) => metadata?.[mark] === operationId)
}

function refundedBy(paid: readonly PaidPart[], operationId: string): number {
  return sumOf(paid.flatMap(({ refunds }) => refundsOf(refunds, operationId)))
}

export function idOf(object: string | { id: string }): string {
  return typeof object === 'string' ? object : object.id
}
