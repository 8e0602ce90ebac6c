import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { JobSender } from '@atrium/server-kit/job-sender.ts'
import { eq, inArray } from 'drizzle-orm'
import { sessions } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { tickets } from '../tickets/tickets.tables.ts'
import { pendingIdentities } from './pending-identities.tables.ts'

export const logoutQueue = 'single-logout'

/** A single logout notice to a service. */
export interface LogoutNotice {
  service: string
  /** The ticket, encrypted. It is how the service identifies its session. */
  sealed: string
  userId: string
  /** ISO 8601. */
  endedAt: string
}

interface End {
  jobs: JobSender
  reason:
    | 'sign-out'
    | 'expired'
    | 'password-changed'
    | 'replaced'
    | 'signed-out-elsewhere'
    | 'erased'
    | 'ended-by-operator'
  caller?: Visitor
  now: Date
}

/** Ends sessions, and enqueues a notice for every service that validated one of their tickets. */
export async function endSessions(tx: Tx, sessionIds: readonly string[], end: End): Promise<void> {
  if (sessionIds.length === 0) return
  const ids = [...sessionIds]
  // Sessions are always locked before tickets, and in the same order, to avoid deadlocks.
  await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, ids))
    .orderBy(sessions.id)
    .for('update')
  // A delete waits for a validation under way and then sees its outcome; a read would not.
  const given = await tx.delete(tickets).where(inArray(tickets.sessionId, ids)).returning()
  const ended = await tx.delete(sessions).where(inArray(sessions.id, ids)).returning()
  await dropPendingOf(
    tx,
    ended.flatMap(({ browser }) => browser ?? []),
  )

  for (const session of ended) {
    for (const { service, sealed, accepted, attemptedAt, sessionId } of given) {
      if (!accepted || sessionId !== session.id) continue
      const notice: LogoutNotice = { service, sealed, userId: session.userId, endedAt: end.now.toISOString() }
      await end.jobs.send(tx, logoutQueue, notice)
      if (isFresh(attemptedAt, end.now)) await end.jobs.sendLater(tx, logoutQueue, notice, { seconds: storingSeconds })
    }
    await record(tx, {
      now: end.now,
      action: 'session.ended',
      userId: session.userId,
      details: { reason: end.reason, ...(end.reason === 'ended-by-operator' && { by: 'operator' }) },
      ...(end.caller && { caller: end.caller }),
    })
  }
}

/** What its owner has not confirmed at a provider must not wait for whoever uses the browser next. */
async function dropPendingOf(tx: Tx, browserHashes: readonly string[]): Promise<void> {
  if (browserHashes.length === 0) return
  const left = tx
    .select({ hash: pendingIdentities.hash })
    .from(pendingIdentities)
    .where(inArray(pendingIdentities.browserHash, [...browserHashes]))
    // Another tab that is confirming one may wait for the account that the caller has locked.
    .for('update', { skipLocked: true })
  await tx.delete(pendingIdentities).where(inArray(pendingIdentities.hash, left))
}

/** A service that has just validated a ticket may be storing its session still: it gets the notice once more afterwards. */
const storingSeconds = 15

function isFresh(validatedAt: Date | null, now: Date): boolean {
  return validatedAt !== null && now.getTime() - validatedAt.getTime() < storingSeconds * 1000
}

/** Ends every session of an account. The caller has locked the account's row, so that none can start meanwhile. */
export async function endSessionsOf(tx: Tx, userId: string, end: End): Promise<void> {
  const rows = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
  await endSessions(
    tx,
    rows.map(({ id }) => id),
    end,
  )
}
