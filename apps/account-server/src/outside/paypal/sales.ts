import { z } from 'zod'
import type { CallPaypal } from './client.ts'
import { minorUnits } from './money.rules.ts'

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
  update_time: Instant.optional(),
})

const WireRefund = z.object({
  sale_id: z.string().default(''),
  state: z.string(),
  amount: Amount,
  create_time: Instant,
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
  /** When all of it was given back, or taken back by PayPal; null: not all, or nothing. */
  refundedAt: Date | null
}

/** What was given back of a payment at one time. */
export interface PaypalRefund {
  id: string
  saleId: string
  isFailed: boolean
  /** Minor units. */
  amount: number
  refundedAt: Date
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
        refundedAt: ['refunded', 'reversed'].includes(sale.state) ? (sale.update_time ?? sale.create_time) : null,
      }
    },

    async readRefund(id: string): Promise<PaypalRefund> {
      const refund = await call({ method: 'GET', path: `/v1/payments/refund/${id}` }, WireRefund)
      return {
        id,
        saleId: refund.sale_id,
        isFailed: !['completed', 'pending'].includes(refund.state),
        amount: refund.amount.total,
        refundedAt: refund.create_time,
      }
    },
  }
}
