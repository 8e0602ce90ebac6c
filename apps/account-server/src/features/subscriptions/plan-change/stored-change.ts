import { z } from 'zod'

const taxed = { taxBehavior: z.enum(['exclusive', 'inclusive', '']).default(''), taxCode: z.string().default('') }

/** What a coupon takes off. */
export const Taken = z.object({
  ...{ couponCode: z.string(), amount: z.int(), currency: z.string(), productId: z.string() },
  ...taxed,
})
const Paid = z.object({
  ...{ priceId: z.string(), productId: z.string(), quantity: z.int() },
  ...{ amount: z.int(), currency: z.string(), from: z.string(), to: z.string() },
  ...taxed,
})
const Item = z.object({ id: z.string().optional(), priceId: z.string(), quantity: z.int() })

/** What is stored of a change that is asked for. */
export const Change = z.object({
  providerId: z.string(),
  quoteId: z.string(),
  items: z.array(Item),
  prorationDate: z.coerce.date(),
  /** Another card than the one that pays. */
  paymentMethodId: z.string().optional(),
  /** The subscription's own card before; empty: none. */
  ownCard: z.string().default(''),
  /** Counted as a use of the coupon, unless the change fails. */
  couponCode: z.string().optional(),
  discount: Taken.optional(),
  /** What the Owner before has paid of it. */
  paidBefore: z.array(Paid).default([]),
  /** What the card provider has planned, and is dropped before; empty: nothing. */
  scheduleId: z.string().default(''),
  /** What is charged, as shown; minor units. */
  chargeAmount: z.int(),
})
export type Change = z.output<typeof Change>

/** What is stored of a change that waits, or was made. */
export const ChangeOutcome = z.object({
  invoiceId: z.string().default(''),
  clientSecret: z.string().default(''),
})
