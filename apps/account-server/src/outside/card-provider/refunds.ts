import type Stripe from 'stripe'
import type { Refunds } from '../billed-invoice.ts'
import { callProvider } from './failure.ts'
import { given, givingBackCalls, idOf, sumOf } from './invoice-refunds.ts'
import { longestPage, wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'

/** Refunds of the card provider. An invoice names its payments, and a payment its refunds. */
export function refundCalls(stripe: Stripe) {
  const { paymentsOfInvoice, ...calls } = givingBackCalls(stripe)

  async function refundsOfInvoice(invoice: string): Promise<Refunds> {
    const refunds = (await paymentsOfInvoice(invoice)).flatMap((part) => part.refunds)
    const counted = refunds.filter(({ status }) => given.has(status))
    const seconds = counted.map(({ created }) => created)
    return {
      amount: sumOf(counted),
      lastAt: seconds.length === 0 ? null : new Date(Math.max(...seconds) * 1000),
    }
  }

  return {
    ...calls,
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
