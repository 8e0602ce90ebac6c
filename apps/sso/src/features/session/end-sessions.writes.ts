import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { eq, inArray } from 'drizzle-orm'
import { sessions } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { tickets } from '../tickets/tickets.tables.ts'

export const logoutQueue = 'single-logout'

/** One service that must be told that a session is over. */
export interface LogoutNotice {
  service: string
  /** The ticket, encrypted: it is the service's only name for its session. */
  sealed: string
  userId: string
  /** ISO 8601. */
  endedAt: string
}

interface End {
  jobs: Jobs
  reason: 'sign-out' | 'expired' | 'password-changed' | 'replaced'
  caller?: Visitor
  now: Date
}

/** Ends sessions, and puts a notice on the queue for every service that took one of their tickets. */
export async function endSessions(tx: Tx, sessionIds: readonly string[], end: End): Promise<void> {
  if (sessionIds.length === 0) return
  const ids = [...sessionIds]
  // Sessions before tickets, and in one order, as everywhere: so nobody waits in a circle.
  await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(inArray(sessions.id, ids))
    .orderBy(sessions.id)
    .for('update')
  // Deleting waits for a validation in flight and then sees what came of it; reading first would not.
  const given = await tx.delete(tickets).where(inArray(tickets.sessionId, ids)).returning()
  const ended = await tx.delete(sessions).where(inArray(sessions.id, ids)).returning()

  for (const session of ended) {
    for (const { service, sealed, accepted, sessionId } of given) {
      if (!accepted || sessionId !== session.id) continue
      const notice: LogoutNotice = { service, sealed, userId: session.userId, endedAt: end.now.toISOString() }
      await end.jobs.send(tx, logoutQueue, notice)
    }
    await record(tx, {
      now: end.now,
      action: 'session.ended',
      userId: session.userId,
      details: { reason: end.reason },
      ...(end.caller && { caller: end.caller }),
    })
  }
}

/** Ends every session of an account. The caller holds the account's row, so that none starts meanwhile. */
export async function endSessionsOf(tx: Tx, userId: string, end: End): Promise<void> {
  const rows = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
  await endSessions(
    tx,
    rows.map(({ id }) => id),
    end,
  )
}
