import type { Member } from '@atrium/server-kit/caller.ts'
import { type Db, prepared, purge } from '@atrium/server-kit/database.ts'
import { daysBefore } from '@atrium/server-kit/retention.ts'
import { and, eq, gt, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { signInMinutes } from './support-sessions.rules.ts'
import { supportSessions, supportSignIns } from './support-sessions.tables.ts'

/** Neither ended, nor out of time, nor after the member's grant. */
function isRunning(): SQL | undefined {
  return and(
    isNull(supportSessions.endedAt),
    gt(supportSessions.endsAt, sql.placeholder('now')),
    gt(members.supportAccessUntil, sql.placeholder('now')),
  )
}

/** The running support session of a token, with its member; the only session query of a request. */
export async function runningSession(db: Db, tokenHash: string, now: Date) {
  const [found] = await sessionByToken(db).execute({ tokenHash, now })
  return found
}

const sessionByToken = prepared('support_session_by_token', (db, name) =>
  db
    .select({
      id: supportSessions.id,
      agentName: supportSessions.agentName,
      endsAt: supportSessions.endsAt,
      memberId: members.id,
      email: members.email,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(supportSessions)
    .innerJoin(members, eq(members.id, supportSessions.memberId))
    .where(and(eq(supportSessions.tokenHash, sql.placeholder('tokenHash')), isRunning()))
    .prepare(name),
)

/** The member's grant, and the support sessions that run under it; a row without a session if there is none. */
export function runningSessionsOf(db: Db, member: Pick<Member, 'id'>, now: Date) {
  return sessionsByMember(db).execute({ memberId: member.id, now })
}

const sessionsByMember = prepared('support_sessions_by_member', (db, name) =>
  db
    .select({
      supportAccessUntil: members.supportAccessUntil,
      session: {
        id: supportSessions.id,
        agentName: supportSessions.agentName,
        reason: supportSessions.reason,
        ticket: supportSessions.ticket,
        startedAt: supportSessions.startedAt,
        endsAt: supportSessions.endsAt,
      },
    })
    .from(members)
    .leftJoin(supportSessions, and(eq(supportSessions.memberId, members.id), isRunning()))
    .where(eq(members.id, sql.placeholder('memberId')))
    .orderBy(supportSessions.startedAt, supportSessions.id)
    .prepare(name),
)

/** The agent who signed in with a token and has not used the sign-in yet. */
export async function agentOfToken(db: Db, tokenHash: string, now: Date) {
  const [agent] = await db
    .select()
    .from(supportSignIns)
    .where(and(eq(supportSignIns.tokenHash, tokenHash), gt(supportSignIns.createdAt, oldestSignIn(now))))
  return agent
}

/** Deletes sign-ins that were not used, and support sessions together with their activity. Runs daily. */
export async function purgeSupport(db: Db, { now, days }: { now: Date; days: number }): Promise<void> {
  await purge(db, supportSignIns, lt(supportSignIns.createdAt, oldestSignIn(now)))
  await purge(db, supportSessions, lt(supportSessions.endsAt, daysBefore(now, days)))
}

/** Sign-ins of then and before are too old. */
export function oldestSignIn(now: Date): Date {
  return new Date(now.getTime() - signInMinutes * 60_000)
}
