import type { Tx } from '@atrium/server-kit/database.ts'
import { forgetOffers, storeUnmatched } from '../payments/unmatched/unmatched.writes.ts'
import type { Projection } from './projection.rules.ts'
import type { Reading } from './reading.ts'
import type { SubscriptionRow } from './subscriptions.tables.ts'

/** What was paid earlier, and a trial, can be used while something else waits. */
export function isGranting(projected: Projection | undefined): boolean {
  return projected !== undefined && ['active', 'trialing', 'past_due'].includes(projected.status)
}

/**
 * What has an Owner who was erased is nobody's once something is paid for it, or it could be used again: it waits for the operator, and
 * nothing of it is granted.
 * @returns whether it waits
 */
export async function waitsForNobody(
  tx: Tx,
  { reading, before, now }: { reading: Reading; before: SubscriptionRow; now: Date },
): Promise<boolean> {
  const { memberId, createdAt: boughtAt } = before
  const { channel: provider, providerId: objectId, customerId } = reading
  const unordered = reading.unordered?.()
  if (!unordered && !isGranting(await reading.projection(before, undefined, { tx, memberId }))) {
    await forgetOffers(tx, [objectId])
    return false
  }
  const object = { provider, kind: 'subscription', objectId, customerId: customerId ?? '' } as const
  await storeUnmatched(tx, unordered ?? { ...object, reason: 'no_member', boughtAt, createdAt: now })
  return true
}

interface Paid {
  after: Projection
  declinedCard?: unknown
  payer?: unknown
}

/** A reading of what an erased person had: no card, and no page where they would pay, comes back with it. */
export function withoutPerson<Read extends Paid>({ declinedCard: _declined, payer: _payer, ...reading }: Read) {
  const after = { ...reading.after, dueUrl: '', ownCard: '', declinedCard: '', lastDecline: null }
  return { ...reading, after }
}
