import { z } from 'zod'
import { ChangeDetail, SharingDetail, sharingType } from './change-details.ts'
import { ChangeQuote } from './change-quotes.ts'
import { cardRefused } from './declines.ts'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { MinorUnits } from './money.ts'
import { OpenChange } from './open-changes.ts'
import { PlanChangeType, planChangeTypes } from './plan-change-types.ts'
import { SubscriptionId } from './subscriptions.ts'
import { Line } from './text.ts'

const ProductCode = z.string().min(1).max(50)

/** The most that can be asked for at once; the product's cap is lower. */
const mostAtOnce = 1_000_000_000

/** How many more. 001 §5: what is not at least 1 is refused here; the page corrects it. */
const Increase = z.int().min(1, 'quantity_invalid').max(mostAtOnce, 'quantity_invalid')

/** What the customer typed; empty: none. */
export const CouponCode = Line(64).default('')

export const discountTypes = ['percentage', 'amount'] as const

/** What is asked for; whatever else the client knows is compared, never used. */
export const Asked = {
  type: PlanChangeType,
  /** Of `buy-more` and `buy-connector`: how many more. */
  increasingNumber: Increase.default(1),
  /** Of `switch-to-business-billing`: the product's code. Empty: the first one. */
  upgradeSelect: ProductCode.or(z.literal('')).default(''),
  couponCode: CouponCode,
}

/** Problems of a change that is not possible. */
export const impossible = {
  not_owner: 403,
  /** The subscription is in another state than the page shows, or is not sold so. */
  change_not_possible: 409,
  /** A prepaid term cannot be renewed: the customer is billed in another currency, and can be in one only. */
  other_currency: 409,
  /** More than the product's cap leaves room for. */
  quantity_exceeded: 409,
  /** Envelope sharing has to be enabled before connectors are bought. */
  pooling_required: 409,
  /** Its price is hidden: it is paid to the partner who sold it. */
  bought_through_partner: 409,
  /** An earlier change is not resolved yet. */
  subscription_change_pending: 409,
  payment_provider_unavailable: 503,
} as const

/** The time to confirm the payment of a change ran out: nothing was charged, and nothing changed. */
const changeExpired = 409

/**
 * The detail of a change's dialog (001 §3, §7), with a stored quote of exactly what it would charge. Another quantity, product or coupon
 * is another quote; a coupon that cannot be used is refused at its field. That of envelope sharing has no quote. A POST, as the specification has it; nothing is charged.
 */
export const changePlanFrom = endpoint({
  method: 'POST',
  path: '/account/change-plan-from/',
  summary: 'What a change of a subscription would charge',
  limit: 'provider',
  body: z.object({
    sid: SubscriptionId,
    lang: LocaleCode.default('en-us'),
    ...Asked,
    type: z.enum([...planChangeTypes, sharingType]),
  }),
  reply: z.union([ChangeDetail, SharingDetail]),
  problems: {
    ...impossible,
    /** This one waits for its payment, and can be continued or dropped; null: it is not known yet how an earlier change ended. */
    subscription_change_pending: { status: 409, data: OpenChange.nullable() },
    change_expired: changeExpired,
    /** The product has no envelope sharing, or the subscription is not active. */
    pooling_not_possible: 409,
    /** Whether an earlier change, whose time has run out, was paid at the last moment. */
    payment_outcome_unknown: 502,
  },
})

/** How the customer comes back from the payment of a change on PayPal's page (`discount_biz_type`, 001 §2). It proves nothing. */
export const paypalReturnTypes = ['change', 'change-canceled'] as const
export type PaypalReturnType = (typeof paypalReturnTypes)[number]

/** How a purchase stands (001 §3). */
export const PurchaseReply = z.object({
  payType: z.enum(['card', 'paypal']),
  /**
   * `succeeded`: it is charged, and the change is made. `requires_action`: the bank asks, with `clientSecret`, or the customer has to
   * approve the payment at PayPal. `processing`: it is approved, and PayPal has not released it yet; the change follows by itself.
   */
  paymentIntentStatus: z.enum(['succeeded', 'requires_action', 'processing']),
  /** Only for the provider's browser SDK. */
  clientSecret: z.string(),
  /** PayPal's order that waits for its approval, and the page for that; empty otherwise. */
  paypalOrderId: z.string(),
  approveUrl: z.string(),
  /** After a change at PayPal: where the customer confirms what PayPal bills from the next cycle on. Empty: nothing to confirm. */
  approveLink: z.string(),
  ...ChangeQuote.pick({
    discount: true,
    subAmount: true,
    taxAmount: true,
    creditUsed: true,
    owedBefore: true,
    movedToNext: true,
    creditAdded: true,
    chargeAmount: true,
    currency: true,
  }).shape,
  /** Of what is subscribed to with the change, for a whole term, before tax. */
  price: MinorUnits,
  type: PlanChangeType,
  /** The product before the change. */
  originAppCode: z.string(),
  appCode: z.string(),
  appName: z.string(),
  increasedNumber: z.int(),
  nextRenewal: ChangeQuote.shape.nextRenewal,
})
export type PurchaseReply = z.infer<typeof PurchaseReply>

/** Problems of a payment. */
const paying = {
  ...impossible,
  card_refused: cardRefused,
  /** Nothing is on file to charge. */
  card_required: 409,
  /** The customer dropped it elsewhere: nothing was charged. */
  change_dropped: 409,
  change_expired: changeExpired,
  /** It may have been charged, and is resolved within two minutes. */
  payment_outcome_unknown: 502,
} as const

/** What was ordered at PayPal, and was not paid: it can be ordered again. */
const Unpaid = z.object({ type: PlanChangeType, increasingNumber: z.int() })

/** Problems after the bank's question, or an approval at PayPal. */
const ordering = {
  /** PayPal could not take the payment of this change: nothing was charged. */
  payment_declined: { status: 402, data: Unpaid },
  /**
   * Only an address says whose the subscription is, and another account at PayPal than the one that pays for it has approved this change,
   * or none that is known: nothing was charged.
   */
  other_paypal_account: { status: 409, data: Unpaid },
  nothing_to_finish: 409,
} as const

/**
 * Makes a change and charges exactly its quote, or nothing (001 §7). Requests with the same idempotency key are one; a quote is used
 * once.
 */
export const changePlan = endpoint({
  method: 'POST',
  path: '/account/change-plan/',
  summary: 'Change a subscription, and pay for it',
  limit: 'provider',
  body: z.object({
    subscriptionId: SubscriptionId,
    quoteId: z.uuid(),
    ...Asked,
    /** The card to charge, of those on file; empty: the one that pays now. */
    paymentMethodId: z.string().max(64).default(''),
    /** What the customer saw taken off; another discount now is `quote_changed`. */
    discount: MinorUnits.optional(),
  }),
  reply: PurchaseReply,
  problems: {
    ...paying,
    ...ordering,
    /** Something changed since: nothing was charged, and this is what it costs now. */
    quote_changed: { status: 409, data: ChangeQuote },
  },
})

/**
 * After the approval of a change at PayPal (001 §7). The address and the page prove nothing: the server asks PayPal, and captures what was
 * approved. A second return answers the same.
 */
export const paypalCallBack = endpoint({
  method: 'POST',
  path: '/account/paypal-call-back/',
  summary: 'Finish a change after its approval at PayPal',
  limit: 'provider',
  body: z.object({
    subscriptionId: SubscriptionId,
    /** PayPal's order. */
    invoiceId: z.string().max(64).optional(),
    /** What the page knows of the change; of another one than the last there is nothing to finish. */
    type: PlanChangeType.optional(),
    increasingNumber: Increase.optional(),
    appCode: ProductCode.optional(),
    quoteId: z.uuid().optional(),
  }),
  reply: PurchaseReply,
  problems: { ...paying, ...ordering },
})

/** After the bank's question, whatever its answer: the server asks the provider, and does not trust the page (001 §7). */
export const memberPlanPlace = endpoint({
  method: 'POST',
  path: '/account/member-plan-place/',
  summary: 'Finish a change after the bank’s question',
  limit: 'provider',
  body: z.object({ subscriptionId: SubscriptionId }),
  reply: PurchaseReply,
  problems: { ...paying, ...ordering },
})

/**
 * Drops a change that waits for the bank's question or for its approval at PayPal: the provider charges nothing for it any more, and the
 * subscription stays as it was. If it was paid at the last moment, it is made.
 */
export const dropOpenChange = endpoint({
  method: 'POST',
  path: '/account/subscriptions/:sid/open-change/drop/',
  summary: 'Drop a change that waits for its payment',
  limit: 'provider',
  params: z.object({ sid: SubscriptionId }),
  reply: z.object({
    /** 0: it was paid meanwhile. */
    isDropped: Flag,
  }),
  problems: {
    not_owner: 403,
    nothing_to_finish: 409,
    payment_outcome_unknown: 502,
  },
})
