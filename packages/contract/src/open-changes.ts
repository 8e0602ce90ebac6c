import { z } from 'zod'
import { Flag } from './flag.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { PlanChangeType } from './plan-change-types.ts'

/**
 * A change that waits for the customer: for its payment or the bank's question, or for its approval at PayPal. Nothing is charged yet.
 */
export const OpenChange = z.object({
  /** `other`: it was begun at the card provider, and is none of ours, such as fewer seats of a dearer price. */
  type: PlanChangeType.or(z.literal('other')),
  /** Of `buy-more` and `buy-connector`: how many more. */
  increasedNumber: z.int(),
  /** 1: it is storage, counted in TB. */
  isStorage: Flag,
  /** The product after the change. */
  appName: z.string(),
  /** What it charges, and in which currency; left out: the price is hidden. */
  chargeAmount: MinorUnits.optional(),
  currency: CurrencyCode.optional(),
  /** The provider's page of its invoice, if it was begun at the provider: it is paid there. Empty: it is continued here, or the price is hidden. */
  payUrl: z.string(),
  /** When it is dropped unless it is paid by then, ISO 8601; left out: not known, or it waits until it is dropped. */
  expiresAt: z.iso.datetime().optional(),
})
export type OpenChange = z.infer<typeof OpenChange>
