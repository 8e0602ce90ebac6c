import { z } from 'zod'
import { Granted } from './paypal-grant.rules.ts'

const Line = z.object({
  priceId: z.string(),
  quantity: z.int(),
  amount: z.int(),
  periodStart: z.coerce.date(),
  periodEnd: z.coerce.date(),
})

/** What is stored of a change that is paid by an order of PayPal. */
export const OrderedChange = z.object({
  providerId: z.string(),
  quoteId: z.uuid(),
  version: z.string(),
  /** Until when it is paid and granted. */
  periodEnd: z.coerce.date(),
  /** What the order asks for, in minor units of `currency`; 0: there is no order. */
  amount: z.int(),
  currency: z.string(),
  lines: z.array(Line),
  discount: z.int(),
  /** Counted as a use of the coupon, unless the change fails. */
  couponCode: z.string().optional(),
  /** What the customer reads at PayPal. */
  description: z.string(),
  granted: Granted,
})
export type OrderedChange = z.output<typeof OrderedChange>

/** What is stored of a change that waits for its approval, or was made. */
export const OrderOutcome = z.object({
  orderId: z.string().default(''),
  /** Who was to get the payment when the order was made. Empty: a version of this program that did not store it has made it. */
  payee: z.string().default(''),
  approveUrl: z.string().default(''),
  captureId: z.string().default(''),
  /** Whether all of it was given or taken back, and what it had bought is gone; false: it has come back. */
  isTakenBack: z.boolean().optional(),
})
