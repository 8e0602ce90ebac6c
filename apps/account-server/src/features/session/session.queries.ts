import { type Db, prepared } from '@atrium/server-kit/database.ts'
import { and, eq, gt, lt, or, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { sessions } from './session.tables.ts'

/** Milliseconds. */
export interface SessionLimits {
  idle: number
  absolute: number
}

/** The one session query of a request: the session of a token, with its member, while it lasts. */
export async function liveSession(db: Db, tokenHash: string, limits: SessionLimits, now: Date) {
  const [found] = await sessionByToken(db).execute({
    tokenHash,
    seenAfter: new Date(now.getTime() - limits.idle),
    createdAfter: new Date(now.getTime() - limits.absolute),
  })
  return found
}

const sessionByToken = prepared('session_by_token', (db, name) =>
  db
    .select({
      id: sessions.id,
      seenAt: sessions.seenAt,
      subject: sessions.subject,
      memberId: members.id,
      email: members.email,
      firstName: members.firstName,
      lastName: members.lastName,
    })
    .from(sessions)
    .innerJoin(members, eq(members.id, sessions.memberId))
    .where(
      and(
        eq(sessions.tokenHash, sql.placeholder('tokenHash')),
        gt(sessions.seenAt, sql.placeholder('seenAfter')),
        gt(sessions.createdAt, sql.placeholder('createdAfter')),
      ),
    )
    .prepare(name),
)

/** Sessions that ended by themselves; run daily. */
export async function purgeSessions(db: Db, limits: SessionLimits, now: Date): Promise<void> {
  await db
    .delete(sessions)
    .where(
      or(
        lt(sessions.seenAt, new Date(now.getTime() - limits.idle)),
        lt(sessions.createdAt, new Date(now.getTime() - limits.absolute)),
      ),
    )
}
