import type { SubscriptionRow } from './subscriptions.tables.ts'

interface Known extends Pick<SubscriptionRow, 'channel' | 'proof'> {
  /** The column of `paidFrom`. */
  paidFrom: 'account' | 'other' | 'checkout'
}

/** Whether nothing but a typed address says that it is its Owner's. */
export function isKnownByAddress({ channel, proof, paidFrom }: Known): boolean {
  return channel === 'paypal' ? proof === 'address' : paidFrom === 'checkout'
}
