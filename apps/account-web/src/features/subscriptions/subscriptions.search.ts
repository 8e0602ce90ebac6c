import { paypalReturnTypes } from '@atrium/contract/plan-changes.ts'
import { maxKeywords, SubscriptionId, SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { z } from 'zod'
import { PageNumber } from '../../page/list-page.ts'

/** The filters of online subscriptions (001 §2). */
const filters = {
  status: SubscriptionStatus.optional().catch(undefined),
  keywords: z.string().trim().min(1).max(maxKeywords).optional().catch(undefined),
}

/** Where a customer comes from when PayPal sends them back (001 §2). */
const paypalReturn = {
  stripe_subscription_id: z.string().min(1).max(64).optional().catch(undefined),
  discount_biz_type: z.string().max(64).optional().catch(undefined),
}

/** Dialogs about a subscription. */
export const dialogNames = [
  'cancel',
  'more',
  'connectors',
  'upgrade',
  'annual',
  'renew',
  'sharing',
  'ordered',
  'order-canceled',
] as const

/** The dialog that is open, and which subscription it is about. */
const dialogs = {
  dialog: z.enum(dialogNames).optional().catch(undefined),
  sid: SubscriptionId.optional().catch(undefined),
  /** How many more it begins with: what was ordered and not paid. */
  quantity: z.coerce.number().int().min(1).max(9999).optional().catch(undefined),
}

export const SubscriptionsFilter = z.object(filters)
export type SubscriptionsFilter = z.output<typeof SubscriptionsFilter>

/** The search parameters of My Subscriptions. Without a list, the online ones are shown. */
export const SubscriptionsSearch = z.object({
  list: z.literal('offline').optional().catch(undefined),
  ...filters,
  page: PageNumber,
  ...paypalReturn,
  ...dialogs,
})

export const SubscriptionDialogSearch = z.object(dialogs)
export type SubscriptionDialogSearch = z.output<typeof SubscriptionDialogSearch>

export const PaypalReturnSearch = z.object({ ...paypalReturn, ...dialogs })

/** After the payment of a change at PayPal, its dialog says how it ended. */
export function dialogAfterPaypal(type: string | undefined): 'ordered' | 'order-canceled' | undefined {
  const dialogs = { change: 'ordered', 'change-canceled': 'order-canceled' } as const
  const known = paypalReturnTypes.find((one) => one === type)
  return known && dialogs[known]
}

export const noFilter = { status: undefined, keywords: undefined } satisfies SubscriptionsFilter
