import type Stripe from 'stripe'

/** Whether it can still be redeemed. @param now epoch seconds */
function isRedeemable({ max_redemptions: most, redeem_by, times_redeemed }: Stripe.Coupon, now: number): boolean {
  if (redeem_by !== null && redeem_by <= now) return false
  return most === null || times_redeemed < most
}

/** The coupon as it is shown now. */
export function shownCoupon(coupon: Stripe.Coupon, now: number): Stripe.Coupon {
  return { ...coupon, valid: isRedeemable(coupon, now) }
}
