import type { SubscriptionRow } from './subscriptions.tables.ts'

interface Known extends Pick<SubscriptionRow, 'channel' | 'proof'> {
  /** Whether nothing but a typed address says whose its customer at the card provider is. */
  isOfTypedCustomer: boolean
}

/** Whether nothing but a typed address says that it is its Owner's. */
export function isKnownByAddress({ channel, proof, isOfTypedCustomer }: Known): boolean {
  return channel === 'paypal' ? proof === 'address' : isOfTypedCustomer
}
