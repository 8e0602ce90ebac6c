import type { Tx } from '@atrium/server-kit/database.ts'
import { storeUnmatched } from '../../payments/unmatched/unmatched.writes.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import { addNobody, reassignPurchases } from './reassign.writes.ts'

/**
 * What an address alone had made an erased person's leaves them as if they had said that it is not theirs: whoever pays goes on paying, and
 * the operator sees it among what is nobody's.
 */
export async function leaveToNobody(tx: Tx, rows: readonly SubscriptionRow[], now: Date): Promise<void> {
  await reassignPurchases(tx, { rows, memberId: await addNobody(tx, now), proof: 'address', now })
  for (const { id, providerId, customerId, channel, createdAt: boughtAt } of rows) {
    const provider = channel === 'paypal' ? channel : 'card'
    const object = { provider, kind: 'subscription', objectId: providerId ?? id, customerId: customerId ?? '' } as const
    await storeUnmatched(tx, { ...object, reason: 'not_mine', boughtAt, createdAt: now })
  }
}
