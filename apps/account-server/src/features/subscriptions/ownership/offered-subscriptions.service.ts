import type { Offered } from '@atrium/contract/offered-subscriptions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Reader } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, asc, eq, isNull } from 'drizzle-orm'
import { lockCaller } from '../../../db/members.queries.ts'
import type { Deps } from '../../../deps.ts'
import { ProviderFailure } from '../../../outside/provider-failure.ts'
import { record } from '../../activity/activity.writes.ts'
import { publishEvent } from '../../events/events.writes.ts'
import { unmatchedPurchases } from '../../payments/unmatched/unmatched.tables.ts'
import { rememberDeclined } from '../../payments/unmatched/unmatched.writes.ts'
import { syncPaypalSubscription } from '../paypal-subscriptions.sync.ts'
import { syncSubscription } from '../subscriptions.sync.ts'

/** What was begun with the member's address, and waits for their answer. */
export async function offeredTo(db: Reader, member: Pick<Member, 'id'>): Promise<Offered> {
  const { id, boughtAt } = unmatchedPurchases
  const rows = await db
    .select({ id, boughtAt })
    .from(unmatchedPurchases)
    .where(waitsFor(member))
    .orderBy(asc(boughtAt), id)
  return { list: rows.map((row) => ({ id: row.id, begunAt: Math.floor(row.boughtAt.getTime() / 1000) })) }
}

function waitsFor(member: Pick<Member, 'id'>) {
  const { memberId, reason, acceptedAt } = unmatchedPurchases
  return and(eq(memberId, member.id), eq(reason, 'offered'), isNull(acceptedAt))
}

interface Answer {
  id: string
  isMine: boolean
}

/** @throws Problem `not_found`: it is not offered to this member, or was answered; `payment_provider_unavailable` */
export async function answerOffer(deps: Deps, member: Member, { id, isMine }: Answer): Promise<Offered> {
  const now = deps.clock()
  const { provider, objectId } = await deps.db.transaction(async (tx) => {
    await lockCaller(tx, member)
    const isOffered = and(eq(unmatchedPurchases.id, id), waitsFor(member))
    const answer = isMine ? { acceptedAt: now } : { reason: 'not_mine' as const }
    const [row] = await tx.update(unmatchedPurchases).set(answer).where(isOffered).returning()
    if (!row) throw new Problem('not_found')
    if (!isMine) await rememberDeclined(tx, { ...row, createdAt: now })
    const action = isMine ? 'subscription.claimed' : 'subscription.declined'
    await record(tx, member, { action, target: row.objectId, now })
    const data = { provider: row.provider, providerId: row.objectId, customerId: row.customerId }
    if (!isMine) await publishEvent(deps, tx, { type: 'purchase.not_mine', data, now })
    return row
  })
  if (isMine) await read(deps, provider, objectId)
  return offeredTo(deps.db, member)
}

/** It is listed at once; without the provider, as soon as the provider tells of it again. */
async function read(deps: Deps, provider: 'card' | 'paypal', objectId: string): Promise<void> {
  try {
    await (provider === 'card' ? syncSubscription : syncPaypalSubscription)(deps, objectId)
  } catch (error) {
    if (!(error instanceof ProviderFailure)) throw error
    throw new Problem('payment_provider_unavailable', { retryAfter: 5, cause: error })
  }
}
