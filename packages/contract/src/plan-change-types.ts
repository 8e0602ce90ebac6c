import { z } from 'zod'

/** The changes of what is subscribed to (001 §4: payment type codes), as far as they are charged by a quote. */
export const planChangeTypes = [
  /** Another product. */
  'switch-to-business-billing',
  /** A year instead of a month. */
  'switch-to-annual-billing',
  /** More seats, or more storage. */
  'buy-more',
  /** More connectors. */
  'buy-connector',
  /** A year more of a prepaid term. */
  'techsoup-renew',
] as const
export const PlanChangeType = z.enum(planChangeTypes)
export type PlanChangeType = z.infer<typeof PlanChangeType>
