import type { Member, Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, isNull, type SQL, sql } from 'drizzle-orm'
import { record, recordSupport, recordSystem } from '../activity/activity.writes.ts'
import { supportSessions } from './support-sessions.tables.ts'

/** Records the ends of support sessions whose time is up. */
export const supportEndsQueue = 'support-sessions.end'

export interface SupportEndJob {
  id: string
}

type Ending =
  /** Also by withdrawing the grant. */
  | { by: 'member'; actor: Member; now: Date }
  /** Also by signing out at the single sign-on. */
  | { by: 'agent'; actor: Visitor; now: Date }
  /** At the time that was set at its start. */
  | { by: 'time' }

/** Ends those of some support sessions that have not ended yet, each with its row in the member's activity. */
export async function endSupportSessions(tx: Tx, which: SQL, ending: Ending): Promise<void> {
  const ended = await tx
    .update(supportSessions)
    .set({ endedAt: ending.by === 'time' ? sql`${supportSessions.endsAt}` : ending.now })
    .where(and(which, isNull(supportSessions.endedAt)))
    .returning()
  for (const session of ended) await recordEnd(tx, session, ending)
}

function recordEnd(tx: Tx, session: typeof supportSessions.$inferSelect, ending: Ending): Promise<void> {
  const { id: target, memberId, agentName: agent, agentSubject, reason, ticket } = session
  const happening = { action: 'support.ended', target, details: { agent, reason, ticket, by: ending.by } } as const
  if (ending.by === 'time') {
    const program = { actor: 'support-sessions', memberId, address: null, requestId: null }
    return recordSystem(tx, program, { ...happening, now: session.endsAt })
  }
  const { actor, now } = ending
  if (ending.by === 'member') return record(tx, { ...actor, id: memberId }, { ...happening, now })
  const { address, requestId } = actor
  return recordSupport(tx, { agent: agentSubject, memberId, address, requestId }, { ...happening, now })
}
