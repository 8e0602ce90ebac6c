import { randomUUID } from 'node:crypto'
import type { Act } from '@atrium/server-kit/act.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { leftAloneMilliseconds } from './attempts.rules.ts'
import { type Attempt, paymentAttempts } from './payments.tables.ts'

interface Beginning {
  purpose: string
  paymentMethodId: string
  act?: Act | undefined
  /** Before and after of fields that are no secrets. */
  details?: Readonly<Record<string, unknown>>
  now: Date
}

/** Writes an attempt before its call, which comes after the caller has committed. */
export async function beginAttempt(
  tx: Tx,
  member: Member,
  { purpose, paymentMethodId, act, details = {}, now }: Beginning,
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
      details,
      address: member.address,
      requestId: member.requestId,
      createdAt: now,
      lookAt: new Date(now.getTime() + leftAloneMilliseconds),
    })
    .returning()
  if (!attempt) throw new Error('the attempt was not stored')
  return attempt
}

type Needs = Pick<Deps, 'db' | 'clock'>
type Outcome = Partial<Pick<Attempt, 'status' | 'intentId' | 'problem' | 'detail' | 'requestKey' | 'declines'>>

/** What is known by now, while more is to come. An attempt that is settled stays what it is. */
export function noteAttempt(deps: Needs, attempt: Attempt, outcome: Outcome): Promise<Attempt> {
  return changeAttempt(deps, attempt, { outcome, isEnd: false })
}

/**
 * The end of an attempt: whoever comes first writes it, and the activity row where it succeeded. A refusal stays
 * what it was, whatever ends it; and what was given up as failed has succeeded after all, if the provider says so.
 */
export function settleAttempt(deps: Needs, attempt: Attempt, outcome: Outcome): Promise<Attempt> {
  return changeAttempt(deps, attempt, { outcome, isEnd: true })
}

function changeAttempt(
  { db, clock }: Needs,
  { id }: Attempt,
  { outcome, isEnd }: { outcome: Outcome; isEnd: boolean },
): Promise<Attempt> {
  return db.transaction(async (tx) => {
    const [known] = await tx.select().from(paymentAttempts).where(eq(paymentAttempts.id, id)).for('update')
    if (!known) throw new Error('the attempt is gone')
    const isRevived = known.status === 'failed' && outcome.status === 'succeeded'
    if (known.settledAt && !isRevived) return known

    const now = clock()
    // The intent of a refused try is canceled by us: that says nothing new.
    const isKnown = known.problem !== null && outcome.status === 'canceled'
    const change = {
      ...(isKnown ? { intentId: outcome.intentId ?? known.intentId } : outcome),
      declinedAt: known.declinedAt ?? (outcome.status === 'declined' ? now : null),
      settledAt: isEnd ? now : null,
    }
    const [changed] = await tx.update(paymentAttempts).set(change).where(eq(paymentAttempts.id, id)).returning()
    if (!changed) throw new Error('the attempt is gone')
    if (isEnd && changed.status === 'succeeded') await recordOutcome(tx, changed, now)
    return changed
  })
}

/** The purpose is the action of the activity. */
function recordOutcome(tx: Tx, attempt: Attempt, now: Date): Promise<void> {
  const { memberId: id, address, requestId, purpose: action, paymentMethodId: target, details } = attempt
  return record(tx, { id, address, requestId }, { action, target, details, now })
}
