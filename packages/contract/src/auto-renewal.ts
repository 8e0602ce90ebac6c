import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { OpenChange } from './open-changes.ts'
import { PlannedChange } from './planned-changes.ts'
import { Subscription, SubscriptionId } from './subscriptions.ts'
import { Line, Lines } from './text.ts'

/** The codes of the ten reasons (001 §3); their names are the dictionary `cancel-reason`. */
export const cancelReasons = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const

/** The longest comment on a cancellation. */
export const maxCancelComment = 500

/** Problems of a change that a provider makes. */
const changing = {
  /** Of the Owner alone. */
  not_owner: 403,
  /** An earlier change is not resolved yet, so this one was not made. Lasts less than a minute. */
  subscription_change_pending: 409,
  /** The provider cannot be reached: nothing was changed. */
  payment_provider_unavailable: 503,
  /** It may have been changed, and is resolved within two minutes. */
  payment_outcome_unknown: 502,
} as const

/** What stops with a subscription's end. Times are ISO 8601. */
const Ending = z.object({
  stripeSubscriptionId: z.string(),
  appName: z.string(),
  /** When it ends if auto-renewal is turned off now. */
  endsAt: z.string(),
  /**
   * What is charged until then: nothing any more, nothing at all (a trial), or each month of the year that was agreed. `before_start`: it
   * ends now, since it has not begun. `unconfirmed`: it ends now, since no payment for it is confirmed; what is being checked still counts.
   */
  charges: z.enum(['over', 'never', 'monthly', 'before_start', 'unconfirmed']),
  /** Seats that people have. */
  joinCount: z.int(),
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  /** Devices that are activated by email address. */
  deviceCount: z.int(),
  /** What is planned for it, and dropped; left out: nothing. */
  plannedChange: PlannedChange.optional(),
})
export type Ending = z.infer<typeof Ending>

/** What turning auto-renewal off would stop, and when (001 §4: the pre-check). A POST, as the specification has it; it changes nothing. */
export const checkCancelSr = endpoint({
  method: 'POST',
  path: '/account/check-cancel-sr/',
  summary: 'What turning auto-renewal off would stop',
  limit: 'provider',
  body: z.object({
    sid: SubscriptionId,
    /** Of the specification; the server knows which add-ons there are. */
    isAc: Flag.optional(),
  }),
  reply: Ending.extend({
    /** Add-ons that stop with it; with any, the dialog warns. */
    list: z.array(Ending),
    /** The change that waits for its payment, which turning off drops; left out: none. */
    openChange: OpenChange.optional(),
    /** Names all planned changes that are dropped, for `subscription-cancel`; empty: there are none. */
    planned: z.string(),
  }),
  problems: { not_owner: 403, not_renewing: 409 },
})

/**
 * Turns auto-renewal off: the subscription, and the add-ons that belong to it, end with the time that is paid, or now, if they have
 * not begun, or no payment for them is confirmed. Without a change if
 * it is off already.
 */
export const subscriptionCancel = endpoint({
  method: 'POST',
  path: '/account/subscription-cancel/',
  summary: 'Turn auto-renewal off',
  limit: 'provider',
  body: z.object({
    sid: SubscriptionId,
    /** Comma-joined ids of add-ons as shown; others than its own are refused (`not_found`). All of its own stop in any case. */
    cancelSubIds: z.string().max(2000).default(''),
    /** The planned changes that may be dropped, as `check-cancel-sr` named them. */
    planned: z.string().max(64).default(''),
    /** Of the specification, for the page's message. */
    productName: Line(200).default(''),
    reasons: z
      .array(z.literal(cancelReasons), 'reason_required')
      .min(1, 'reason_required')
      .max(cancelReasons.length)
      .transform((codes) => [...new Set(codes)].sort((one, other) => one - other)),
    comment: Lines(maxCancelComment).default(''),
  }),
  reply: Subscription,
  problems: {
    ...changing,
    not_renewing: 409,
    /** Other changes are planned than the request names: nothing was dropped. `check-cancel-sr` says which. */
    planned_change: 409,
  },
})

/** Turns auto-renewal on again before the end, with the add-ons that were turned off with it. Nothing is charged now. */
export const subscriptionRenew = endpoint({
  method: 'POST',
  path: '/account/subscription-renew/',
  summary: 'Turn auto-renewal on again',
  limit: 'provider',
  body: z.object({
    sid: SubscriptionId,
    /** One of its cards (`listPayingCards`) that pays for it from now on; empty: what pays for it already. */
    paymentMethodId: z.string().max(64).default(''),
  }),
  reply: Subscription,
  problems: {
    ...changing,
    not_resumable: 409,
    /** Its price is hidden: what pays for it is the partner’s matter, and no card takes its place. */
    bought_through_partner: 409,
    /** Nothing is on file that the renewal may be charged to. */
    card_required: 409,
    /** Tax depends on where the customer is, which nothing on file says. */
    tax_address_required: 409,
    /** The customer is billed in another currency, and can be in one only: it ends, and is bought anew. */
    other_currency: 409,
  },
})
