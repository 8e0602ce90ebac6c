import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Flag } from './flag.ts'
import { LocaleCode } from './locale.ts'
import { SeatType } from './seat-types.ts'
import { Subscription, SubscriptionStatus } from './subscriptions.ts'

/** 001 §3; empty: it has no end, or its state is not known. */
export const timeTypes = ['begins_on', 'expire_on', 'renew_date', 'will_expire', 'has_expired'] as const

/** 001 §3: the first that applies, see "My Products" of `docs/coverage.md`. */
export const buttonTypes = [
  'upgrade',
  'renew',
  'view',
  'waiting_to_pay',
  'past_due',
  'purchase',
  'pay_now',
  'confirm_plan',
] as const
export const ButtonType = z.enum(buttonTypes)
export type ButtonType = z.infer<typeof ButtonType>

/** What is next for a subscription, and the button for it. */
const Next = z.object({
  showButtonType: ButtonType,
  /**
   * Where the button leads: a path of this page, or an https address of the vendor's or the provider's. Empty: the address is asked
   * for with a call (`confirm_plan`: `paypal-renew-subscription`).
   */
  showButtonUrl: z.string(),
})

/**
 * What decides what follows a running trial, as in the subscription's record. Whether a card is on file, only the card provider knows:
 * the page compares this with the cards.
 */
export const TrialTerms = Subscription.pick({
  autoRenewal: true,
  payType: true,
  paymentMethodId: true,
  paidFrom: true,
  payingCard: true,
  paidType: true,
  price: true,
  currency: true,
})
export type TrialTerms = z.infer<typeof TrialTerms>

/** A download for one platform, or the address at which a product is opened in the browser. */
const ProductLink = z.object({
  /** The product's code. */
  appId: z.string(),
  name: z.string(),
  /** As the vendor writes it; `Web` for what opens in the browser. */
  platform: z.string(),
  /** Unique in the list; not a license's key. */
  key: z.string(),
  /** https, on an allowed host. Empty: `cloud`, whose address is asked for with a call (`cloud/login-ticket`). */
  url: z.string(),
  type: z.enum(['download', 'launch', 'cloud']),
})

/** My Products item, 001 §3. */
export const MyProduct = Next.extend({
  /** Empty: licenses without a subscription. */
  stripeSubscriptionId: z.string(),
  /** Empty: licenses without a subscription. */
  stripeSubscriptionStatus: SubscriptionStatus.or(z.literal('')),
  appCode: z.string(),
  appName: z.string(),
  /** `data:` address of a picture; empty if the vendor has none. */
  appIcon: z.string(),
  /** The caller's role. */
  userType: SeatType,
  isTrial: Flag,
  /** Of a trial that runs, for its Owner; left out: none. */
  trial: TrialTerms.optional(),
  /** Days until `showTime`, rounded up; 0 once it has passed. */
  remainDays: z.int(),
  showTimeType: z.enum([...timeTypes, '']),
  /** ISO 8601, or empty. */
  showTime: z.string(),
  /** 0: an Owner whose own license is deactivated, who gets no downloads. */
  hasLicense: Flag,
  /** 1: an MSP package, which needs certain versions (001 §9). */
  isMsp: Flag,
  /** Path of the roadmap, in the language of the request (001 §2); empty: the product has none. */
  roadmapUrl: z.string(),
  productList: z.array(ProductLink),
  integrations: z.array(z.object({ name: z.string() })),
})
export type MyProduct = z.infer<typeof MyProduct>

/** One of the vendor's product lines, with what the caller has of it. */
const ProductGroup = z.object({
  sku: z.string(),
  skuName: z.string(),
  /** Subscribed to, or licensed. */
  subInfo: z.array(MyProduct),
  /** On trial, or tried before. */
  trialInfo: z.array(MyProduct),
})
export type ProductGroup = z.infer<typeof ProductGroup>

/** The most items of a reply: those that need attention, then the newest. */
export const mostProducts = 100

/** 001 §8: why the list is empty; the server decides. Empty: it is not, or the other list has products. */
export const blankTips = ['log_in_admin', 'contact_administrator', 'log_in_admin_no_button', 'personal_tip'] as const

export const listMyProducts = endpoint({
  method: 'GET',
  path: '/account/my-products/',
  summary: 'The products that the member owns or uses',
  query: z.object({
    /** 0: online, with licenses that have no subscription; 1: offline. */
    subscriptionType: z.enum(['0', '1']).default('0'),
    /** Of the addresses in the reply. Nothing is sold in Russian. */
    lang: LocaleCode.default('en-us'),
  }),
  support: 'read',
  reply: z.object({
    /** In the vendor's order. */
    list: z.array(ProductGroup),
    /** Items altogether, also those beyond `mostProducts`. */
    total: z.int(),
    blankTip: z.enum([...blankTips, '']),
    /** What the tip's button does; empty: it has none. */
    blankButton: z.enum(['admin_console', 'shop', '']),
    blankUrl: z.string(),
    /** Where the member manages the users of a team here, although they hold no license; empty: nowhere, or the list is not empty. */
    teamUrl: z.string(),
    /** Email of the Owner whom a member of a team asks for a license; empty: there is none to ask, or the list is not empty. */
    ownerEmail: z.string(),
  }),
})

/** Worst first. */
export const renewalReasons = [
  'past_due',
  'ended',
  'ending',
  'license_ending',
  'card_expiring',
  'trial_ending',
] as const
export const RenewalReason = z.enum(renewalReasons)
export type RenewalReason = z.infer<typeof RenewalReason>

/** The id of a subscription, or `licenses:` and the code of a product of which the member holds licenses without one. */
const PromptSubject = z.string().min(1).max(200)

/** What the Owner of a subscription, or the Holder of licenses, should see to. */
const RenewalPrompt = Next.extend({
  subject: PromptSubject,
  /** Empty: licenses without a subscription. */
  stripeSubscriptionId: z.string(),
  appCode: z.string(),
  appName: z.string(),
  /** `card_expiring` is not among them: only the card provider knows the cards, and the page compares `charges` with them. */
  reason: RenewalReason.exclude(['card_expiring']),
  /** ISO 8601: when access ends, or ended. */
  date: z.string(),
  /** Until then, rounded up; 0 once it has passed. */
  remainDays: z.int(),
  /** 1: its end was chosen, by turning auto-renewal off. */
  isCanceled: Flag,
  /** Of a trial that runs; left out: none. */
  trial: TrialTerms.optional(),
})
export type RenewalPrompt = z.infer<typeof RenewalPrompt>

/** A renewal that will be charged to a card soon. */
const ComingCharge = z.object({
  stripeSubscriptionId: z.string(),
  appName: z.string(),
  /** ISO 8601. */
  date: z.string(),
  /** Empty: the default card. */
  paymentMethodId: z.string(),
})
export type ComingCharge = z.infer<typeof ComingCharge>

const RenewalPrompts = z.object({
  /** Worst first, then the soonest; without those that were dismissed in the last seven days. */
  list: z.array(RenewalPrompt),
  total: z.int(),
  /** The first of each card within 60 days, the soonest first. */
  charges: z.array(ComingCharge),
})
export type RenewalPrompts = z.infer<typeof RenewalPrompts>

/** The renewal banner of My Products (001 §2). */
export const listRenewalPrompts = endpoint({
  method: 'GET',
  path: '/account/my-products/renewals/',
  summary: 'What needs attention among the subscriptions and licenses that the member owns',
  query: z.object({ lang: LocaleCode.default('en-us') }),
  support: 'read',
  reply: RenewalPrompts,
})

/** Hides a prompt for seven days, on every device. What is past due cannot be hidden. */
export const dismissRenewalPrompt = endpoint({
  method: 'POST',
  path: '/account/my-products/renewals/dismiss/',
  summary: 'Hide a prompt of the renewal banner for seven days',
  body: z.object({ subject: PromptSubject, reason: RenewalReason, lang: LocaleCode.default('en-us') }),
  reply: RenewalPrompts,
  problems: { not_dismissible: 409 },
})
