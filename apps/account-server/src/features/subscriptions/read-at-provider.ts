import type { Deps } from '../../deps.ts'
import { syncPaypalSubscription } from './paypal-subscriptions.sync.ts'
import { syncSubscription } from './subscriptions.sync.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/**
 * Reads a subscription where it is billed, if a provider bills it: that may not have told yet what was done there a moment ago.
 * @throws ProviderFailure
 */
export async function readAtProvider(
  deps: Deps,
  { channel, providerId }: Pick<SubscriptionRow, 'channel' | 'providerId'>,
): Promise<void> {
  const { CARD_PROVIDER, PAYPAL } = deps.config
  if (providerId === null) return
  if (channel === 'paypal') {
    if (PAYPAL !== 'none') await syncPaypalSubscription(deps, providerId)
  } else if (CARD_PROVIDER !== 'none') await syncSubscription(deps, providerId)
}
