import { billingTerms, subscriptionStatuses } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { Taken } from '../plan-change/stored-change.ts'

/** What is stored of a renewal that is asked for. */
export const Renewal = z.object({
  quoteId: z.string(),
  customerId: z.string(),
  items: z.array(z.object({ priceId: z.string(), quantity: z.int() })),
  /** The year that is paid. */
  periodStart: z.coerce.date(),
  periodEnd: z.coerce.date(),
  currency: z.string(),
  isTaxed: z.boolean(),
  paymentMethodId: z.string(),
  /** What is paid for; left out: an earlier version of this program did not store it. */
  paidFor: z
    .object({ productCode: z.string(), userCount: z.int(), storageCapacity: z.int(), connectors: z.int() })
    .optional(),
  /** When a file had told it to end before its time, or not to renew, as the renewal was begun; left out: as above. */
  endsBefore: z.object({ cancelAt: z.coerce.date().nullable(), endedAt: z.coerce.date().nullable() }).optional(),
  /** Counted as a use of the coupon, unless the renewal fails. */
  couponCode: z.string().optional(),
  discount: Taken.optional(),
  /** What is charged, as shown; minor units. */
  chargeAmount: z.int(),
  /** Of a year, before tax; minor units. */
  price: z.int(),
})
export type Renewal = z.output<typeof Renewal>

/** What a renewal changes of a subscription. */
const Extended = z.object({
  ...{ userCount: z.int(), storageCapacity: z.int(), connectors: z.int(), price: z.int().nullable() },
  ...{ status: z.enum(subscriptionStatuses), term: z.enum(billingTerms).nullable(), autoRenew: z.boolean() },
  periodEnd: z.coerce.date().nullable(),
  cancelAt: z.coerce.date().nullable(),
  endedAt: z.coerce.date().nullable(),
})
export type Extended = z.output<typeof Extended>

/** What is stored of a renewal that waits, or was made. */
export const RenewalOutcome = z.object({
  invoiceId: z.string().default(''),
  clientSecret: z.string().default(''),
  /** What it has changed; left out: it is not made, or an earlier version of this program has made it. */
  extended: z.object({ before: Extended, after: Extended }).optional(),
  /** Whether all that was paid was given back, and the year is gone; false: it has come back. */
  isTakenBack: z.boolean().optional(),
})
export type RenewalOutcome = z.output<typeof RenewalOutcome>
