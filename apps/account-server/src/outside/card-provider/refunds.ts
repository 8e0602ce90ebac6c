import type Stripe from 'stripe'
import type { Refunds } from '../billed-invoice.ts'
import { ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'
import { longestPage, wholeList } from './lists.ts'
import { minorUnits, providerAmount } from './minor-units.ts'
import { intentOf } from './plan-changes.ts'

interface InvoiceRefund {
  invoiceId: string
  /** In minor units of `currency`. */
  amount: number
  currency: string
  operationId: string
}

/** The metadata that tells which operation has refunded. */
const mark = 'operation'

/** A refund that failed or was canceled gives nothing back; a pending one is on its way to the customer. */
const given: ReadonlySet<string | null> = new Set(['succeeded', 'pending'])

/** Refunds of the card provider. An invoice names its payments, and a payment its refunds. */
export function refundCalls(stripe: Stripe) {
  /** Every refund of a payment, whatever became of it. */
  const refundsOfPayment = (payment: string) =>
    wholeList((page) => stripe.refunds.list({ payment_intent: payment, ...page }))

  async function refundsOfInvoice(invoice: string): Promise<Refunds> {
    const page = { invoice, status: 'paid', limit: longestPage } as const
    const { data } = await callProvider(() => stripe.invoicePayments.list(page))
    const refunds: Stripe.Refund[] = []
    for (const { payment } of data) {
      if (payment.payment_intent) refunds.push(...(await refundsOfPayment(idOf(payment.payment_intent))))
    }
    const counted = refunds.filter(({ status }) => given.has(status))
    const seconds = counted.map(({ created }) => created)
    return {
      amount: counted.reduce((sum, { amount, currency }) => sum + minorUnits(amount, currency.toUpperCase()), 0),
      lastAt: seconds.length === 0 ? null : new Date(Math.max(...seconds) * 1000),
    }
  }

  return {
    refundsOfInvoice,

    /** Whether anything that was paid for a subscription was not given back. */
    async hasKeptPayment(subscription: string): Promise<boolean> {
      const paid = await wholeList((page) => stripe.invoices.list({ subscription, status: 'paid', ...page }))
      for (const { id, currency, amount_paid: amount, amount_paid_off_stripe: beside = 0 } of paid) {
        if (beside > 0) return true
        const kept = amount > 0 && minorUnits(amount, currency.toUpperCase()) > (await refundsOfInvoice(id)).amount
        if (kept) return true
      }
      return false
    },

    /** The id of the payment of which a refund gives back; empty: none that pays invoices. */
    async paymentOfRefund(id: string): Promise<string> {
      return paymentOf(await callProvider(() => stripe.refunds.retrieve(id)))
    },

    /** The ids of the invoices that a payment pays. */
    async invoicesOfPayment(payment: string): Promise<string[]> {
      const page = { payment: { type: 'payment_intent', payment_intent: payment }, limit: longestPage } as const
      const { data } = await callProvider(() => stripe.invoicePayments.list(page))
      return [...new Set(data.map(({ invoice }) => idOf(invoice)))]
    },

    /** Refunds a part of what an invoice charged. @param amount in minor units of `currency` */
    async refundInvoice({ invoiceId, amount, currency, operationId }: InvoiceRefund): Promise<void> {
      const payment = await intentOf(stripe, invoiceId)
      if (!payment) throw new ProviderFailure('invalid', new Error('the invoice charged nothing'))
      const asked = {
        payment_intent: payment.id,
        amount: providerAmount(amount, currency),
        metadata: { [mark]: operationId },
      }
      await callProvider(() => stripe.refunds.create(asked, { idempotencyKey: operationId }))
    },

    /** Whether an operation has refunded. */
    async isRefunded({ invoiceId, operationId }: Pick<InvoiceRefund, 'invoiceId' | 'operationId'>): Promise<boolean> {
      const payment = await intentOf(stripe, invoiceId)
      const refunds = payment ? await refundsOfPayment(payment.id) : []
      return refunds.some(({ metadata }) => metadata?.[mark] === operationId)
    },

    /** The payments of a page of all refunds, newest first. @param after `last` of the page before */
    async refundedPayments(
      after?: string,
    ): Promise<{ payments: string[]; last: string | undefined; hasMore: boolean }> {
      const page = { limit: longestPage, ...(after && { starting_after: after }) }
      const { data, has_more: hasMore } = await callProvider(() => stripe.refunds.list(page))
      const payments = data.map(paymentOf).filter((payment) => payment !== '')
      return { payments: [...new Set(payments)], last: data.at(-1)?.id, hasMore }
    },
  }
}

function paymentOf({ payment_intent: payment }: Stripe.Refund): string {
  return payment === null ? '' : idOf(payment)
}

function idOf(object: string | { id: string }): string {
  return typeof object === 'string' ? object : object.id
}
