import { z } from 'zod'
import { Flag } from './flag.ts'
import { CurrencyCode, MinorUnits } from './money.ts'
import { PlanChangeType } from './plan-change-types.ts'

/** A change that waits for the customer: for the bank's question, or for its approval at PayPal. Nothing is charged yet. */
export const OpenChange = z.object({
  type: PlanChangeType,
  /** Of `buy-more` and `buy-connector`: how many more. */
  increasedNumber: z.int(),
  /** 1: it is storage, counted in TB. */
  isStorage: Flag,
  /** The product after the change. */
  appName: z.string(),
  /** What it charges. */
  chargeAmount: MinorUnits,
  currency: CurrencyCode,
})
export type OpenChange = z.infer<typeof OpenChange>
