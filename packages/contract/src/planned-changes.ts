import { z } from 'zod'
import { billingTerms } from './subscriptions.ts'

/** A change that is planned at the card provider. What is left out stays as it is. */
export const PlannedChange = z.object({
  /** When it begins. */
  from: z.iso.datetime(),
  appName: z.string().optional(),
  userCount: z.int().optional(),
  /** In TB. */
  storageCapacity: z.int().optional(),
  esignConnectors: z.int().optional(),
  paidType: z.enum(billingTerms).optional(),
})
export type PlannedChange = z.infer<typeof PlannedChange>
