import { z } from 'zod'

/** A subscription at its provider. */
export const AtProvider = z.object({ subscriptionId: z.string(), providerId: z.string() })
export type AtProvider = z.infer<typeof AtProvider>

const Off = AtProvider.extend({
  /** ISO 8601: until when the customer is bound, beyond the period; null: it ends with the period. */
  cancelAt: z.iso.datetime().nullable(),
  /** At PayPal, and nothing is paid that could be used, as before it begins: it ends now. */
  isUnbegun: z.boolean().default(false),
  /** What the card provider has planned for it, and is dropped; empty: nothing. */
  scheduleId: z.string().default(''),
})
export const TurningOff = Off.extend({
  reasons: z.array(z.int()).default([]),
  comment: z.string().default(''),
  addOns: z.array(Off.extend({ provider: z.enum(['card', 'paypal']) })).default([]),
})
export type TurningOff = z.infer<typeof TurningOff>

const On = AtProvider.extend({
  /** A card that pays for it from now on; empty: what pays for it already. */
  paymentMethodId: z.string().default(''),
})
export const TurningOn = On.extend({
  addOns: z.array(On.extend({ provider: z.enum(['card', 'paypal']) })).default([]),
})
