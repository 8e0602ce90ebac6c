import type { SubscriptionRow } from './subscriptions.tables.ts'

interface Known extends Pick<SubscriptionRow, 'channel' | 'proof'> {
  /** Whether at the card provider nothing but a typed address says whose it is. */
  isTyped: boolean
}

/** Whether nothing but a typed address says that it is its Owner's. */
export function isKnownByAddress({ channel, proof, isTyped }: Known): boolean {
  return channel === 'paypal' ? proof === 'address' : isTyped
}
