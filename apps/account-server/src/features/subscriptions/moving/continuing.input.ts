import { z } from 'zod'

/** How a subscription goes on for its new Owner. */
export const Continuing = z.object({
  /** Ours. */
  subscriptionId: z.string(),
  items: z.array(z.object({ priceId: z.string(), quantity: z.int() })),
  /** ISO 8601: the end of what is paid, when the new Owner is charged for the first time. */
  from: z.iso.datetime(),
  /** How often it is charged. */
  every: z.enum(['month', 'year']),
  metadata: z.record(z.string(), z.string()),
  /** ISO 8601: when it ends instead of renewing; left out: it renews. */
  endsAt: z.iso.datetime().optional(),
})
export type Continuing = z.infer<typeof Continuing>

/** What begins at the card provider. */
export const Beginning = Continuing.extend({
  isTaxed: z.boolean(),
  /** Add-ons that were turned off with it, and begin with it. */
  addOns: z.array(Continuing).default([]),
})
export type Beginning = z.infer<typeof Beginning>
