import { z } from 'zod'

/** 001 §4. */
export const subscriptionStatuses = [
  'active',
  'canceled',
  'past_due',
  'trialing',
  'offline-purchase',
  'prepayment-expired',
  'given',
] as const
export const SubscriptionStatus = z.enum(subscriptionStatuses)
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>
