import type Stripe from 'stripe'
import { invalidRequest } from '../wire/refusal.ts'

/** Whether it can still be redeemed. @param now epoch seconds */
function isRedeemable({ max_redemptions: most, redeem_by, times_redeemed }: Stripe.Coupon, now: number): boolean {
  if (redeem_by !== null && redeem_by <= now) return false
  return most === null || times_redeemed < most
}

/** The coupon as it is shown now. */
export function shownCoupon(coupon: Stripe.Coupon, now: number): Stripe.Coupon {
  return { ...coupon, valid: isRedeemable(coupon, now) }
}

/**
 * @param now epoch seconds
 * @throws Refusal for one that is expired, used up, or of another currency
 */
export function refuseUnredeemable(coupon: Stripe.Coupon, currency: string, now: number): void {
  if (!isRedeemable(coupon, now)) {
    throw invalidRequest(`Coupon expired: ${coupon.id}`, { code: 'coupon_expired', param: 'discounts' })
  }
  if (coupon.currency !== null && coupon.currency !== currency) {
    throw invalidRequest(
      `The currency of the coupon (\`${coupon.currency}\`) does not match the currency of the prices (\`${currency}\`).`,
      { param: 'discounts' },
    )
  }
}
