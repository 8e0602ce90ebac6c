import type Stripe from 'stripe'
import { minorUnits } from './minor-units.ts'
import { dateOf } from './open-invoices.ts'

export interface BilledItem {
  id: string
  priceId: string
  lookupKey: string
  productId: string
  quantity: number
  /** Of one unit, in minor units; null if it is not per unit. */
  amount: number | null
  /** ISO 4217, upper case. */
  currency: string
  periodStart: Date
  periodEnd: Date
  /** The vendor has archived its price: it is billed on, and no other subscription begins at it. */
  isArchived?: true
}

export function itemFrom({ price, quantity, ...item }: Stripe.SubscriptionItem): BilledItem {
  const currency = price.currency.toUpperCase()
  return {
    id: item.id,
    priceId: price.id,
    lookupKey: price.lookup_key ?? '',
    productId: typeof price.product === 'string' ? price.product : price.product.id,
    quantity: quantity ?? 1,
    amount: isPerUnit(price) ? minorUnits(price.unit_amount, currency) : null,
    currency,
    ...(!price.active && { isArchived: true as const }),
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
  }
}

/** Not a price of packages, tiers, or of what was used. */
function isPerUnit(price: Stripe.Price): price is Stripe.Price & { unit_amount: number } {
  return price.unit_amount !== null && !price.transform_quantity && price.recurring?.usage_type !== 'metered'
}
