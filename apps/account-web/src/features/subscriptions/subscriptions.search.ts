import { maxKeywords, SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The filters of online subscriptions (001 §2). */
const filters = {
  status: SubscriptionStatus.optional().catch(undefined),
  keywords: z.string().trim().min(1).max(maxKeywords).optional().catch(undefined),
}

export const SubscriptionsFilter = z.object(filters)
export type SubscriptionsFilter = z.output<typeof SubscriptionsFilter>

/** The search parameters of My Subscriptions. Without a list, the online ones are shown. */
export const SubscriptionsSearch = z.object({
  list: z.literal('offline').optional().catch(undefined),
  ...filters,
  page: PageNumber,
})

export const noFilter = { status: undefined, keywords: undefined } satisfies SubscriptionsFilter
