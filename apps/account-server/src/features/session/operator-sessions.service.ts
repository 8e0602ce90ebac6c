import type { Db, Reader } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { recordOperator } from '../activity/activity.writes.ts'
import { sessions } from './session.tables.ts'

interface MemberSessions {
  memberId: string
  /** Their number, with those that have been idle too long and await their deletion. */
  sessions: number
}

/** The members with an address, verified or not, and how many sessions each has. */
export function openSessionsOfAddress(db: Reader, email: string): Promise<MemberSessions[]> {
  return db
    .select({ memberId: members.id, sessions: sql<number>`count(${sessions.id})::int` })
    .from(members)
    .leftJoin(sessions, eq(sessions.memberId, members.id))
    .where(eq(members.email, email))
    .groupBy(members.id)
    .orderBy(members.id)
}

/** Ends all sessions of the members with an address, on behalf of an operator: one activity row a member that had any. */
export function endSessionsByOperator(db: Db, email: string, now: Date): Promise<MemberSessions[]> {
  return db.transaction(async (tx) => {
    const found = await openSessionsOfAddress(tx, email)
    const ended: MemberSessions[] = []
    for (const { memberId } of found) {
      const deleted = await tx.delete(sessions).where(eq(sessions.memberId, memberId)).returning({ id: sessions.id })
      const details = { endedSessions: deleted.length }
      if (deleted.length > 0) {
        await recordOperator(tx, memberId, { action: 'session.ended', target: memberId, details, now })
      }
      ended.push({ memberId, sessions: deleted.length })
    }
    return ended
  })
}
