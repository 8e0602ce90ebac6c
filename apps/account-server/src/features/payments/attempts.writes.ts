import { randomUUID } from 'node:crypto'
import type { Act } from '@atrium/server-kit/act.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, isNull } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { type Attempt, paymentAttempts } from './payments.tables.ts'

interface Beginning {
  purpose: string
  paymentMethodId: string
  act?: Act | undefined
  now: Date
}

/** Writes an attempt before its call; the caller holds the member’s lock and commits. */
export async function beginAttempt(
  tx: Tx,
  member: Member,
  { purpose, paymentMethodId, act, now }: Beginning,
): Promise<Attempt> {
  const [attempt] = await tx
    .insert(paymentAttempts)
    .values({
      id: randomUUID(),
      memberId: member.id,
      purpose,
      paymentMethodId,
      requestKey: act?.key ?? null,
      requestPrint: act?.print ?? null,
      status: 'open',
      address: member.address,
      requestId: member.requestId,
      createdAt: now,
    })
    .returning()
  if (!attempt) throw new Error('the attempt was not stored')
  return attempt
}

type Outcome = Partial<Pick<Attempt, 'status' | 'intentId' | 'problem' | 'detail' | 'requestKey'>>

/** What is known by now, while more is to come. An attempt that is settled stays what it is. */
export function noteAttempt(deps: Pick<Deps, 'db' | 'clock'>, attempt: Attempt, outcome: Outcome): Promise<Attempt> {
  return changeAttempt(deps, attempt, outcome)
}

/** The end of an attempt: whoever comes first writes it, and the activity row where it succeeded. */
export function settleAttempt(deps: Pick<Deps, 'db' | 'clock'>, attempt: Attempt, outcome: Outcome): Promise<Attempt> {
  return changeAttempt(deps, attempt, { ...outcome, settledAt: deps.clock() })
}

function changeAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  attempt: Attempt,
  change: Partial<Attempt>,
): Promise<Attempt> {
  return db.transaction(async (tx) => {
    const now = clock()
    const declinedAt = change.status === 'declined' ? (attempt.declinedAt ?? now) : attempt.declinedAt
    const [changed] = await tx
      .update(paymentAttempts)
      .set({ ...change, declinedAt })
      .where(and(eq(paymentAttempts.id, attempt.id), isNull(paymentAttempts.settledAt)))
      .returning()
    if (!changed) return attemptById(tx, attempt.id)

    if (changed.settledAt && changed.status === 'succeeded') {
      const { memberId: id, address, requestId } = changed
      await record(tx, { id, address, requestId }, { action: changed.purpose, target: changed.paymentMethodId, now })
    }
    return changed
  })
}

async function attemptById(tx: Tx, id: string): Promise<Attempt> {
  const [attempt] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, id))
  if (!attempt) throw new Error('the attempt is gone')
  return attempt
}
