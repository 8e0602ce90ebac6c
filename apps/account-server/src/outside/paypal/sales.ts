import { z } from 'zod'
import type { CallPaypal } from './client.ts'
import { Money, minorUnits } from './money.rules.ts'

const Instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

/** Version 1 of payments writes money in its own way. */
const Amount = z
  .object({
    total: z.string(),
    currency: z.string().length(3),
    details: z.object({ tax: z.string().default('0') }).default({ tax: '0' }),
  })
  .transform(({ total, currency, details }) => ({
    total: minorUnits({ currency_code: currency, value: total }),
    tax: minorUnits({ currency_code: currency, value: details.tax }),
    currency,
  }))

const Wire = z.object({
  id: z.string(),
  state: z.string(),
  billing_agreement_id: z.string().default(''),
  amount: Amount,
  create_time: Instant,
})

const Transactions = z.object({
  transactions: z
    .array(
      z.object({
        id: z.string(),
        status: z.string(),
        time: Instant,
        amount_with_breakdown: z.object({ gross_amount: Money }),
      }),
    )
    .default([]),
})

/** A payment of a subscription. */
export interface PaypalSale {
  id: string
  subscriptionId: string
  isPending: boolean
  /** Denied or reversed: nothing was paid. */
  isFailed: boolean
  /** Minor units. */
  total: number
  tax: number
  currency: string
  paidAt: Date
}

export function saleCalls(call: CallPaypal) {
  return {
    async readSale(id: string): Promise<PaypalSale> {
      const sale = await call({ method: 'GET', path: `/v1/payments/sale/${id}` }, Wire)
      return {
        id: sale.id,
        subscriptionId: sale.billing_agreement_id,
        isPending: sale.state === 'pending',
        isFailed: !['completed', 'pending', 'refunded', 'partially_refunded'].includes(sale.state),
        ...sale.amount,
        paidAt: sale.create_time,
      }
    },

    /** Ids of all payments of a subscription, oldest first. */
    async salesOf(subscriptionId: string, { from, to }: { from: Date; to: Date }): Promise<string[]> {
      const query = { start_time: from.toISOString(), end_time: to.toISOString() }
      const path = `/v1/billing/subscriptions/${subscriptionId}/transactions`
      const { transactions } = await call({ method: 'GET', path, query }, Transactions)
      return transactions.toSorted((one, other) => one.time.getTime() - other.time.getTime()).map(({ id }) => id)
    },
  }
}
