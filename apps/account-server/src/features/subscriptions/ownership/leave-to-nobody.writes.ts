import type { Tx } from '@atrium/server-kit/database.ts'
import { storeUnmatched } from '../../payments/unmatched/unmatched.writes.ts'
import type { SubscriptionRow } from '../subscriptions.tables.ts'
import { addNobody, reassignPurchases } from './reassign.writes.ts'

interface Leaving {
  /** Who has said that it is not theirs; left out: they are erased. */
  memberId?: string
  /** Those that the operator sees at once; left out: all. What has ended is listed once it can be used again. */
  listed?: readonly SubscriptionRow[]
  now: Date
}

/**
 * What an address alone had made an erased person's leaves them as if they had said that it is not theirs, and so does what a file alone has
 * made theirs who have said that of its customer: whoever pays goes on paying, and the operator sees it among what is nobody's.
 */
export async function leaveToNobody(
  tx: Tx,
  rows: readonly SubscriptionRow[],
  { listed = rows, ...leaving }: Leaving,
): Promise<void> {
  const { now } = leaving
  await reassignPurchases(tx, { rows, memberId: await addNobody(tx, now), proof: 'address', now })
  for (const row of listed) await storeLeft(tx, row, leaving)
}

/** The operator sees that it is nobody's. */
export async function storeLeft(
  tx: Tx,
  { id, providerId, customerId, channel, createdAt: boughtAt }: SubscriptionRow,
  { memberId, now }: Pick<Leaving, 'memberId' | 'now'>,
): Promise<void> {
  const provider = channel === 'paypal' ? channel : 'card'
  const object = { provider, kind: 'subscription', objectId: providerId ?? id, customerId: customerId ?? '' } as const
  await storeUnmatched(tx, { ...object, reason: 'not_mine', memberId, boughtAt, createdAt: now })
}
