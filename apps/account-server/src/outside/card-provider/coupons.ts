import type Stripe from 'stripe'
import { ProviderFailure } from '../provider-failure.ts'
import { callProvider } from './failure.ts'
import { minorUnits } from './minor-units.ts'

/** A coupon that the vendor made at the provider. */
export interface ProviderCoupon {
  code: string
  percentOff: number | null
  /** In minor units of `currency`. */
  amountOff: number | null
  currency: string | null
  /** The provider's products; empty: all. */
  productIds: readonly string[]
  validUntil: Date | null
  maxUses: number | null
  usesElsewhere: number
}

/** Coupons of the card provider. */
export function couponCalls(stripe: Stripe) {
  return {
    /** The coupon of an id; undefined if there is none that is used once: a lasting one belongs to a subscription, not to a change. */
    async readCoupon(id: string): Promise<ProviderCoupon | undefined> {
      try {
        const found = await callProvider(() => stripe.coupons.retrieve(id, { expand: ['applies_to'] }))
        return found.duration === 'once' ? couponFrom(found) : undefined
      } catch (error) {
        if (error instanceof ProviderFailure && error.kind === 'missing') return undefined
        throw error
      }
    },
  }
}

function couponFrom(coupon: Stripe.Coupon): ProviderCoupon {
  const currency = coupon.currency?.toUpperCase() ?? null
  return {
    code: coupon.id,
    percentOff: coupon.percent_off,
    amountOff: coupon.amount_off === null || currency === null ? null : minorUnits(coupon.amount_off, currency),
    currency,
    productIds: coupon.applies_to?.products ?? [],
    validUntil: coupon.redeem_by === null ? null : new Date(coupon.redeem_by * 1000),
    maxUses: coupon.max_redemptions,
    usesElsewhere: coupon.times_redeemed,
  }
}
