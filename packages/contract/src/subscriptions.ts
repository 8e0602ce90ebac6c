import { z } from 'zod'
import { declineReasons } from './declines.ts'
import { DueInvoice } from './due-invoices.ts'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { OpenChange } from './open-changes.ts'
import { PageQuery } from './page.ts'
import { SeatType } from './seat-types.ts'
import { Line } from './text.ts'

/** 001 §4; `pending` is a state of the provider that is not known here, which grants nothing. */
export const subscriptionStatuses = [
  'active',
  'canceled',
  'past_due',
  'trialing',
  'offline-purchase',
  'prepayment-expired',
  'given',
  'pending',
] as const
export const SubscriptionStatus = z.enum(subscriptionStatuses)
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>

/** 001 §9: `paid_…` are prepaid terms, which do not renew by themselves. */
export const billingTerms = ['monthly', 'yearly', 'paid_monthly', 'paid_yearly', 'yearly_paid_monthly'] as const
export const BillingTerm = z.enum(billingTerms)
export type BillingTerm = z.infer<typeof BillingTerm>

/** The most connectors of a subscription (001 §9). */
export const maxConnectors = 40

/** The id of a subscription (`sid`). */
export const SubscriptionId = z.string().min(1).max(64)

/** ISO 8601, or empty if there is none. */
const MaybeInstant = z.string()

/** A plan of the next period. The price is for a whole term, before tax; left out: unknown. */
const PlanAhead = z.object({
  appName: z.string(),
  paidType: BillingTerm.or(z.literal('')),
  userCount: z.int(),
  /** In TB. */
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  price: MinorUnits.optional(),
  currency: z.string().optional(),
})

/** Subscription record, 001 §3. Times are ISO 8601, or empty; prices are for a whole term, before tax. */
export const Subscription = z.object({
  stripeSubscriptionId: z.string(),
  appName: z.string(),
  appCode: z.string(),
  /** `data:` address of a picture; empty if the vendor has none. */
  appIcon: z.string(),
  /** Seats paid. */
  userCount: z.int(),
  /** Seats taken: used, or held by invitations. */
  joinCount: z.int(),
  /** In TB; 0 if it has no storage. */
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  /** Empty if nothing is billed. */
  paidType: BillingTerm.or(z.literal('')),
  /** Left out if it is hidden, or not billed by one amount. */
  price: MinorUnits.optional(),
  /** Left out if prices are hidden, or nothing is billed. */
  currency: CurrencyCode.optional(),
  /** 1: bought through a partner, or not the caller's to pay. */
  whetherHiddenPrice: Flag,
  /** The caller's role. */
  userType: SeatType,
  stripeSubscriptionStatus: SubscriptionStatus,
  /** Whether access continues although the status is not active. */
  isExpiring: Flag,
  /** When access ends as things are now. */
  accessEnd: MaybeInstant,
  trialEnd: MaybeInstant,
  /** When it ends, because it does not renew. */
  nextPlanPeriodStart: MaybeInstant,
  stripeCurrentPeriodStart: MaybeInstant,
  /** When it begins: nothing is paid, and nothing can be used, before. Left out: it has begun. */
  beginsAt: z.iso.datetime().optional(),
  stripeCurrentPeriodEnd: MaybeInstant,
  autoRenewal: Flag,
  /** 1: cannot be resumed, nor turned off. */
  hideResume: Flag,
  /** 1: has no team, and no address to manage it at. */
  hideManage: Flag,
  /** How the caller manages it: its users, at `manageUrl`, at an address to request, or not at all. */
  manageBy: z.enum(['team', 'address', 'portal', 'storage', 'none']),
  manageUrl: z.string(),
  subscriptionUpgrade: Flag,
  purchaseAdditionalSubscription: Flag,
  switchToAnnualBilling: Flag,
  manualRenew: Flag,
  isNeedBindPooling: Flag,
  isSupportBuyConnector: Flag,
  paypalRenewConfirm: Flag,
  /** The open invoice's page at the provider, for the Owner; empty if none is open, or prices are hidden. */
  stripeSdkUrl: z.string(),
  /** 1: until its payment is made, less is there than is billed; for the Owner. Left out: all is there. */
  isHeldBack: Flag.optional(),
  /** What is open of it altogether; left out if prices are hidden. */
  dueAmount: MinorUnits.optional(),
  /**
   * Of several open invoices, what each asks for, oldest first, with its own page at the provider. While the subscription is not past due:
   * the declined invoices beside its periods. Left out: there is none, or only the one that is past due.
   */
  dueOrders: z.array(DueInvoice).optional(),
  /** The change that waits for the Owner's answer to the bank, or approval at PayPal; left out: none. */
  openChange: OpenChange.optional(),
  /** What begins with the next period, or later, for the Owner, if it is not what there is now; left out: that renews. */
  nextPlan: PlanAhead.extend({
    /** That it begins is certain, or waits for the confirmation at PayPal, or happens only without that. */
    when: z.enum(['certain', 'confirmed', 'unconfirmed']),
    /** When it begins; left out: with the next period. */
    from: z.iso.datetime().optional(),
    /** Of one that waits: what renews without the confirmation; left out: what there is now. */
    otherwise: PlanAhead.optional(),
  }).optional(),
  /** When the provider tries the payment again. */
  nextPaymentAttempt: MaybeInstant,
  /** Whether the bank asks the cardholder to confirm the payment. */
  needsConfirmation: Flag,
  /** Why the payment failed last, for the Owner; empty: not known, or none has failed. */
  declineReason: z.enum(declineReasons).or(z.literal('')),
  /** The card of that payment; empty: not known. */
  declinedCard: z.string(),
  /** 1: it ended because a payment was not received; for the Owner. */
  endedUnpaid: Flag,
  /** 1: it ends for good, since the Owner, to whom it was transferred, is billed in another currency; for the Owner. */
  endsForCurrency: Flag,
  /** The last renewal's payment that was declined, for the Owner, until its card has paid something; left out: none. */
  lastDecline: z.object({ cardId: z.string(), brand: z.string(), last4: z.string(), at: z.iso.datetime() }).optional(),
  /** How it is paid, for the Owner; empty: not through a provider, or to the partner who sold it. */
  payType: z.enum(['card', 'paypal', '']),
  /** The card that pays for it, for the Owner; empty: the default card, or none. */
  paymentMethodId: z.string(),
  /**
   * Where its cards are: `account`, on the page of cards, or it has none; `other`, at another customer record of the member; `checkout`,
   * entered there, and nothing says that it was by the member: none is charged from here but one that they have on file themselves.
   */
  paidFrom: z.enum(['account', 'other', 'checkout']),
  /** The card that pays for it, for the Owner, if it is not on the page of cards; left out: none, or not known. */
  payingCard: z.object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() }).optional(),
  /** 1: only a typed address says that it is the Owner's, so it may be somebody else's (`declineSubscription`); for the Owner. */
  knownByAddress: Flag,
  /** Of an add-on: what it belongs to; empty for others. */
  parentId: z.string(),
  parentName: z.string(),
})
export type Subscription = z.infer<typeof Subscription>

export const maxKeywords = 200

/** Everyone with a seat sees a subscription; add-ons stand below what they belong to (001 §2). `keywords` searches id and product. */
export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/account/subscription/',
  summary: 'Subscriptions in which the member has a role',
  query: PageQuery.extend({
    /** 0: online, 1: offline. */
    subscriptionType: z.enum(['0', '1']).default('0'),
    status: SubscriptionStatus.optional(),
    keywords: Line(maxKeywords).default(''),
  }),
  support: 'read',
  reply: z.object({ list: z.array(Subscription), total: z.int() }),
})

const Link = z.object({ url: z.url() })

const managing = { not_manager: 403, not_manageable: 409 } as const

/**
 * Looks a subscription of PayPal up and applies what PayPal says (001 §7): the customer comes back from its approval. The address
 * proves nothing, and a second return, or somebody else's, changes nothing.
 */
export const paypalAddLicense = endpoint({
  method: 'GET',
  path: '/account/paypal-add-license/',
  summary: 'Applies what PayPal says of a subscription after its approval',
  limit: 'provider',
  changesState: true,
  query: z.object({
    stripeSubscriptionId: SubscriptionId,
    /** Of the shop; it changes nothing. */
    discountBizType: z.string().max(64).default(''),
  }),
  reply: z.object({
    /** Its id here, which PayPal may not know. */
    subscriptionId: z.string(),
    /** `pending`: PayPal has not been paid, or not told yet. */
    status: SubscriptionStatus,
    appName: z.string(),
    /** 1: what PayPal bills from the next cycle on still waits for the customer's confirmation. */
    paypalRenewConfirm: Flag,
  }),
  problems: { paypal_unavailable: 503 },
})

/** Where the customer confirms at PayPal what the next renewal will be (001 §7). */
export const paypalRenewSubscription = endpoint({
  method: 'POST',
  path: '/account/paypal-renew-subscription/',
  summary: 'The address at which a renewal is confirmed at PayPal',
  limit: 'provider',
  body: z.object({ sid: SubscriptionId }),
  reply: z.object({ approveLink: z.url() }),
  problems: {
    not_owner: 403,
    nothing_to_confirm: 409,
    /** Its price is hidden: it is paid to the partner who sold it. */
    bought_through_partner: 409,
    /** PayPal does not sell the plan any more: it can no longer be confirmed, and what was confirmed last renews. */
    plan_price_changed: 409,
    paypal_unavailable: 503,
  },
})

/** Where the redact server of a subscription is managed, signed in (001 §7). The address is valid for a minute. */
export const getPortal = endpoint({
  method: 'GET',
  path: '/account/subscriptions/:sid/portal/',
  summary: 'The address of the portal that manages a redact server',
  params: z.object({ sid: SubscriptionId }),
  reply: Link,
  problems: managing,
})

/** Where a storage subscription is managed, signed in (001 §7). The address is valid for a minute. */
export const autoLoginRedact = endpoint({
  method: 'POST',
  path: '/account/auto-login-redact/',
  summary: 'The address at which a storage subscription is managed',
  body: z.object({ sid: SubscriptionId }),
  reply: Link,
  problems: managing,
})
