import type { AccountConfig } from '../../config.ts'
import { paypalClient } from './client.ts'
import { eventListCalls } from './event-list.ts'
import { orderCalls } from './orders.ts'
import { planCalls } from './plans.ts'
import { saleCalls } from './sales.ts'
import { paypalSubscriptionCalls } from './subscriptions.ts'

export type Paypal = ReturnType<typeof paypalProvider>

/** PayPal, over its REST API. Every method throws a `ProviderFailure`, and ends within 14.5 seconds. */
export function paypalProvider(
  config: Pick<AccountConfig, 'PAYPAL_API_URL' | 'PAYPAL_CLIENT_ID' | 'PAYPAL_CLIENT_SECRET'>,
  options: { timeout?: number } = {},
) {
  const call = paypalClient(config, options)
  return {
    ...eventListCalls(call),
    ...paypalSubscriptionCalls(call),
    ...planCalls(call),
    ...saleCalls(call),
    ...orderCalls(call),
  }
}
