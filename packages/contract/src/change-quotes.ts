import { z } from 'zod'
import { CurrencyCode, MinorUnits } from './money.ts'
import { BillingTerm } from './subscriptions.ts'

/** What is subscribed to, before or after a change. Prices are for a whole term, before tax. */
const PlanState = z.object({
  appCode: z.string(),
  appName: z.string(),
  paidType: BillingTerm,
  userCount: z.int(),
  /** In TB. */
  storageCapacity: z.int(),
  esignConnectors: z.int(),
  price: MinorUnits,
})
export type PlanState = z.infer<typeof PlanState>

/** A line of what is charged now; a credit for the unused time of the old plan, whoever paid for it, is negative. */
const QuoteLine = z.object({
  kind: z.enum(['credit', 'charge']),
  appName: z.string(),
  quantity: z.int(),
  amount: MinorUnits,
  /** The time that is paid, ISO 8601. */
  from: z.string(),
  to: z.string(),
})
export type QuoteLine = z.infer<typeof QuoteLine>

/** When it renews next, and what that charges, tax included. */
const NextRenewal = z.object({
  /** ISO 8601. */
  date: z.string(),
  amount: MinorUnits,
  /** The term that was ordered at PayPal for then; left out: the one of `after`. */
  paidType: BillingTerm.optional(),
})

/** Exactly what a change will charge, pinned to one moment. Amounts in minor units of `currency`. */
export const ChangeQuote = z.object({
  quoteId: z.uuid(),
  /** ISO 8601: it is charged until then, once, as shown. */
  validUntil: z.string(),
  currency: CurrencyCode,
  before: PlanState,
  after: PlanState,
  lines: z.array(QuoteLine),
  /** Empty: none. */
  couponCode: z.string(),
  /** What coupons take off the lines. */
  discount: MinorUnits,
  /** Of all lines after the discount, before tax. */
  subAmount: MinorUnits,
  taxAmount: MinorUnits,
  /** Of the customer's credit at the provider, used for this. */
  creditUsed: MinorUnits,
  /** What is owed from earlier invoices, and is charged with this. */
  owedBefore: MinorUnits,
  /** Less than the provider charges: it is added to the next invoice. */
  movedToNext: MinorUnits,
  /** What is left to the customer: credit for the next invoice. */
  creditAdded: MinorUnits,
  /** What the card is charged now. */
  chargeAmount: MinorUnits,
  /** The card that is charged unless another one is chosen; empty: none, or PayPal. */
  paymentMethodId: z.string(),
  /** The next renewal. Null for a prepaid term, which ends without one. */
  nextRenewal: NextRenewal.nullable(),
})
export type ChangeQuote = z.infer<typeof ChangeQuote>
