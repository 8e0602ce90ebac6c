import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Subscription, SubscriptionId } from './subscriptions.ts'

/**
 * Enables envelope sharing (001 §4): irreversible, and needed before connectors are bought. Without a change if it is enabled
 * already.
 */
export const enablePooling = endpoint({
  method: 'POST',
  path: '/account/enable-pooling/',
  summary: 'Enable envelope sharing',
  limit: 'provider',
  body: z.object({ sid: SubscriptionId }),
  reply: Subscription,
  problems: {
    /** Of the Owner alone. */
    not_owner: 403,
    /** The product has none, or the subscription is not active. */
    pooling_not_possible: 409,
  },
})
