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

/** What an address of the shop asks for; empty: not said. */
export interface Wanted {
  /** Of a product. */
  code: string
  /** `monthly` or `yearly`. */
  license: string
  /** 1 to 999. */
  seats: string
}

/** @param query of the shop's address: `appCode`, else `sku`, names the product. Of two equal parameters, the first counts. */
export function wantedFrom(query: URLSearchParams): Wanted {
  const code = query.get('appCode') ?? query.get('sku') ?? ''
  const seats = query.get('buyNum') ?? ''
  return { code, license: query.get('license') ?? '', seats: /^[1-9]\d{0,2}$/.test(seats) ? seats : '1' }
}

/** The offer that is chosen already: of the product, with the license's interval if it has one. */
export function preferredOffer(offers: readonly Offer[], { code, license }: Wanted): Offer | undefined {
  const ofProduct = offers.filter((offer) => offer.code.toLowerCase() === code.toLowerCase())
  const interval = license === 'monthly' ? 'month' : 'year'
  return ofProduct.find((offer) => license !== '' && offer.interval === interval) ?? ofProduct[0]
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
