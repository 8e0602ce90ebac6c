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

/** What is stored of a renewal that waits, or was made. */
export const RenewalOutcome = z.object({ invoiceId: z.string().default(''), clientSecret: z.string().default('') })
