import type Stripe from 'stripe'
import { wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'
import { dateOf } from './open-invoices.ts'
import { refundCalls } from './refunds.ts'

/** A payment of a subscription, and the time for which it pays; with that of others for the same time, if there are any. */
export interface TimedPayment {
  /** In minor units, tax included. */
  amount: number
  /** What of that was given back. */
  refunded: number
  from: Date
  until: Date
}

export function paidTimeCalls(stripe: Stripe) {
  const { refundsOfInvoice } = refundCalls(stripe)
  const linesOf = ({ id, lines }: Stripe.Invoice) => wholeList((page) => stripe.invoices.listLineItems(id, page), lines)

  return {
    /**
     * What was paid for the time of a subscription after a moment, changes within it included.
     * @param after when the vendor ended it, say
     */
    async paymentsAfter(subscription: string, after: Date): Promise<TimedPayment[]> {
      const paid = await wholeList((page) => stripe.invoices.list({ subscription, status: 'paid', ...page }))
      const payments: TimedPayment[] = []
      for (const invoice of paid) {
        const charged = (await linesOf(invoice)).filter(({ amount }) => amount > 0)
        const until = Math.max(...charged.map(({ period }) => period.end))
        if (charged.length === 0 || dateOf(until) <= after) continue
        const from = Math.min(...charged.flatMap(({ period }) => (period.end === until ? period.start : [])))
        const { id, total, currency } = invoice
        payments.push({
          amount: minorUnits(Math.max(0, total), currency.toUpperCase()),
          refunded: (await refundsOfInvoice(id)).amount,
          ...{ from: dateOf(from), until: dateOf(until) },
        })
      }
      return payments
    },
  }
}
