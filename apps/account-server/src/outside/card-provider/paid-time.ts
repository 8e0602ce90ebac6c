import type Stripe from 'stripe'
import { wholeList } from './lists.ts'
import { minorUnits } from './minor-units.ts'
import { dateOf } from './open-invoices.ts'
import { refundCalls } from './refunds.ts'

/** The time for which a subscription was paid. */
export interface PaidTime {
  until: Date
  /** Until when what was not given back pays for it; whole seconds. */
  keptUntil: Date
}

/** A payment of the last time of a subscription. */
interface Payment {
  /** In minor units, tax included. */
  amount: number
  /** What of that was given back. */
  refunded: number
  /** Epoch seconds: from when it pays. */
  from: number
}

export function paidTimeCalls(stripe: Stripe) {
  const { refundsOfInvoice } = refundCalls(stripe)
  const linesOf = ({ id, lines }: Stripe.Invoice) => wholeList((page) => stripe.invoices.listLineItems(id, page), lines)

  return {
    /**
     * For what time after a moment a subscription was paid, changes within it included; undefined: for none.
     * @param after when the vendor ended it, say
     */
    async paidTime(subscription: string, after: Date): Promise<PaidTime | undefined> {
      const paid = await wholeList((page) => stripe.invoices.list({ subscription, status: 'paid', ...page }))
      const charged: { invoice: Stripe.Invoice; lines: Stripe.InvoiceLineItem[] }[] = []
      for (const invoice of paid) {
        const lines = (await linesOf(invoice)).filter(({ amount, period }) => amount > 0 && dateOf(period.end) > after)
        if (lines.length > 0) charged.push({ invoice, lines })
      }
      const until = Math.max(...charged.flatMap(({ lines }) => lines.map(({ period }) => period.end)))
      const payments: Payment[] = []
      for (const { invoice, lines } of charged) {
        const { id, total, currency } = invoice
        const starts = lines.flatMap(({ period }) => (period.end === until ? period.start : []))
        if (starts.length === 0) continue
        const { amount: refunded } = await refundsOfInvoice(id)
        payments.push({
          amount: minorUnits(Math.max(0, total), currency.toUpperCase()),
          refunded,
          from: Math.min(...starts),
        })
      }
      return payments.length === 0 ? undefined : { until: dateOf(until), keptUntil: dateOf(keptUntil(payments, until)) }
    },
  }
}

/**
 * What each pays, it pays evenly for the time from then on, on top of those before: a change charges the difference for the rest. So what
 * was given back takes time from the end, in which all of them pay together. @returns epoch seconds
 */
export function keptUntil(payments: readonly Payment[], until: number): number {
  const perSecond = payments.reduce((sum, { amount, from }) => sum + amount / (until - from), 0)
  const refunded = payments.reduce((sum, payment) => sum + payment.refunded, 0)
  if (refunded === 0) return until
  return Math.floor(until - refunded / perSecond)
}
