import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Asked, discountTypes, impossible } from './plan-changes.ts'
import { BillingTerm, SubscriptionId } from './subscriptions.ts'
import { RequiredLine } from './text.ts'

/**
 * Whether a coupon can be used for a change (001 §7), and what it takes off. The server knows product, term, country and currency by
 * itself: what the specification's payload says of them is not needed. Ten tries an hour; a coupon that cannot be used is refused at
 * `code`.
 */
export const checkCoupon = endpoint({
  method: 'POST',
  path: '/account/coupon/',
  summary: 'Whether a coupon can be used for a change',
  limit: 'provider',
  body: z.object({
    sid: SubscriptionId,
    code: RequiredLine(64, 'coupon_required', 'coupon_unknown'),
    type: Asked.type,
    increasingNumber: Asked.increasingNumber,
    upgradeSelect: Asked.upgradeSelect,
  }),
  reply: z.object({
    /** Percent, or minor units of the subscription's currency. */
    discount: z.number(),
    discountType: z.enum(discountTypes),
    /** The billing terms it is for; empty: all. */
    applicableLicenseType: z.array(BillingTerm),
  }),
  problems: impossible,
})
