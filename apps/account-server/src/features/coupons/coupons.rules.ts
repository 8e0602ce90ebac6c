import type { BillingTerm } from '@atrium/contract/subscriptions.ts'
import { wholeSteps } from '../../outside/charge-steps.rules.ts'

/** A discount on one purchase, of the vendor's import or of the card provider. Empty lists: everything. */
export interface Coupon {
  code: string
  /** Null: `amountOff`. */
  percentOff: number | null
  /** In minor units of `currency`. */
  amountOff: number | null
  currency: string | null
  products: readonly string[]
  terms: readonly BillingTerm[]
  countries: readonly string[]
  validFrom: Date | null
  validUntil: Date | null
  maxUses: number | null
  maxUsesPerCustomer: number | null
  /** Uses that are not ours: the provider counts its own. */
  usesElsewhere: number
}

/** What a coupon is to be used for. */
export interface CouponPurchase {
  productCode: string
  term: BillingTerm
  currency: string
  /** ISO 3166, of the default billing address; empty without one. */
  country: string
}

interface Uses {
  /** By all customers. */
  all: number
  /** By this one. */
  own: number
}

export type CouponFault =
  | 'coupon_unknown'
  | 'coupon_not_yet_valid'
  | 'coupon_expired'
  | 'coupon_used_up'
  | 'coupon_used_before'
  | 'coupon_other_product'
  | 'coupon_other_term'
  | 'coupon_other_currency'
  | 'coupon_other_country'

/** Why a coupon cannot be used for a purchase; undefined: it can. */
export function couponFault(
  coupon: Coupon,
  { purchase, uses, now }: { purchase: CouponPurchase; uses: Uses; now: Date },
): CouponFault | undefined {
  const { validFrom, validUntil, maxUses, maxUsesPerCustomer, currency } = coupon
  if (validUntil && validUntil <= now) return 'coupon_expired'
  if (validFrom && validFrom > now) return 'coupon_not_yet_valid'
  if (maxUses !== null && uses.all + coupon.usesElsewhere >= maxUses) return 'coupon_used_up'
  if (maxUsesPerCustomer !== null && uses.own >= maxUsesPerCustomer) return 'coupon_used_before'
  if (!isFor(coupon.products, purchase.productCode)) return 'coupon_other_product'
  if (!isFor(coupon.terms, purchase.term)) return 'coupon_other_term'
  if (currency !== null && currency !== purchase.currency) return 'coupon_other_currency'
  return isFor(coupon.countries, purchase.country) ? undefined : 'coupon_other_country'
}

function isFor(list: readonly string[], value: string): boolean {
  return list.length === 0 || list.includes(value)
}

interface Sums {
  /** What is bought that the coupon is for, before tax and credits. */
  bought: number
  /** All lines before tax, credits for the old plan included. */
  subtotal: number
  /** What an amount has to be a multiple of at the provider that charges it, in minor units. */
  step: number
}

/**
 * What a coupon takes off, in minor units: of a percentage, what is left of the purchase is floored, and what can only be charged in
 * steps is taken off in whole ones, rather more than less. It ends at what it is for, and never pays anything out: also at what the
 * credits leave.
 */
export function discountOf({ percentOff, amountOff }: Coupon, { bought, subtotal, step }: Sums): number {
  const hundredths = Math.round((percentOff ?? 0) * 100)
  const wanted = amountOff ?? bought - Math.floor((bought * (10_000 - hundredths)) / 10_000)
  return Math.max(0, Math.min(wholeSteps(wanted, step), bought, subtotal))
}
