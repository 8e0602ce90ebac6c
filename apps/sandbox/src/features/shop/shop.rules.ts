import { formatAmount } from '@atrium/server-kit/formats.ts'
import { z } from 'zod'

/** A price of a product, as the shop shows it. */
export interface Offer {
  priceId: string
  /** Of the product, in the vendor's catalog. */
  code: string
  product: string
  /** Of one seat, in minor units. */
  amount: number
  currency: string
  interval: string
  count: number
  /** Empty for a price that the catalog does not name. */
  lookupKey: string
}

/** How it is paid. */
const payments = ['card', 'paypal', 'trial', 'trial-card'] as const

export const Purchase = z.object({
  /** Of the form that was sent: sent twice, it is one purchase. */
  order: z.uuid(),
  price: z.string().min(1).max(100),
  seats: z.coerce.number().int().min(1).max(999),
  name: z.string().trim().min(1).max(100),
  email: z.email().max(254).toLowerCase(),
  country: z.string().regex(/^[A-Z]{2}$/),
  pay: z.enum(payments),
})

export type Buyer = Pick<z.output<typeof Purchase>, 'name' | 'email' | 'country'>

/** `US$10.00 a month` */
export function priceText({
  amount,
  currency,
  interval,
  count,
}: Pick<Offer, 'amount' | 'currency' | 'interval' | 'count'>): string {
  const money = formatAmount('en', { amount, currency })
  return count === 1 ? `${money} a ${interval}` : `${money} every ${count} ${interval}s`
}

/** Whether the buyer is bound for a year that is paid by the month. */
export function isCommitted({ lookupKey }: Pick<Offer, 'lookupKey'>): boolean {
  return /-yearly_paid_monthly-[a-z]{3}$/.test(lookupKey)
}
