import { z } from 'zod'
import { ChangeQuote } from './change-quotes.ts'
import { Flag } from './flag.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { PlannedChange } from './planned-changes.ts'
import { BillingTerm } from './subscriptions.ts'

/** A card, as it is shown. */
const PayingCard = z.object({
  id: z.string(),
  card: z.object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() }),
  isExpired: z.boolean(),
})

/** What the dialog of envelope sharing is about: it is enabled by `enable-pooling`, and costs nothing. */
export const sharingType = 'enable-pooling-button'

/** What there is now, as every dialog's detail begins (001 §3). */
const Subscribed = {
  stripeSubscriptionId: z.string(),
  appName: z.string(),
  appCode: z.string(),
  /** The label of the product's family. */
  skuName: z.string(),
  paidType: BillingTerm.or(z.literal('')),
  userCount: z.int(),
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  email: z.string(),
}

/** Of `enable-pooling-button`: it has no amounts, since nothing is charged. */
export const SharingDetail = z.object({ ...Subscribed, type: z.literal(sharingType) })
export type SharingDetail = z.infer<typeof SharingDetail>

export const ChangeDetail = z.object({
  ...Subscribed,
  paidType: BillingTerm,
  currency: CurrencyCode,
  /** Of one more, for a whole term, before tax. */
  price: MinorUnits,
  /** `price` × quantity. */
  totalPrice: MinorUnits,
  /** The country of the default billing address, to read; empty: none is on file. */
  billingCountry: z.string(),
  /** The most that can be bought in one go; 0: none. */
  maxIncrease: z.int(),
  /** Of an upgrade: the products to choose from. */
  upgrades: z.array(z.object({ appCode: z.string(), appName: z.string() })),
  upgradeAppCode: z.string(),
  payType: z.enum(['card', 'paypal']),
  /** Whether only the PayPal account that pays for it may pay, since an address alone says that it is the member's. */
  needsPayingAccount: Flag,
  /** What an earlier change asks for that waits for its approval at PayPal: this one replaces it. Left out: none waits. */
  openOrderAmount: MinorUnits.optional(),
  /** What is planned for the subscription, and dropped by this change; left out: nothing. */
  plannedChange: PlannedChange.optional(),
  /** The card that pays, if there is one; others are those of Payment Option Management. */
  cardList: z.array(PayingCard),
  quote: ChangeQuote,
})
export type ChangeDetail = z.infer<typeof ChangeDetail>
