import type { Member } from '@atrium/server-kit/caller.ts'
import { type Db, prepared, purge, type Reader } from '@atrium/server-kit/database.ts'
import { and, eq, gt, lt, sql } from 'drizzle-orm'
import { identities, members } from '../../db/members.tables.ts'
import { sessions } from './session.tables.ts'

/** In milliseconds. */
export interface SessionLimits {
  idle: number
  absolute: number
}

/** The session of a token with its member, unless expired; the only session query of a request. */
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
      freshAt: sessions.freshAt,
      memberId: members.id,
      email: members.email,
      firstName: members.firstName,
      lastName: members.lastName,
      locale: members.locale,
      supportAccessUntil: members.supportAccessUntil,
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

/** The sessions of a member that have not expired. */
export function sessionsOfMember(db: Db, { id: memberId }: Pick<Member, 'id'>, limits: SessionLimits, now: Date) {
  return sessionsByMember(db).execute({
    memberId,
    seenAfter: new Date(now.getTime() - limits.idle),
    createdAfter: new Date(now.getTime() - limits.absolute),
  })
}

const sessionsByMember = prepared('sessions_by_member', (db, name) =>
  db
    .select({
      id: sessions.id,
      ticketHash: sessions.ticketHash,
      userAgent: sessions.userAgent,
      address: sessions.address,
      createdAt: sessions.createdAt,
      seenAt: sessions.seenAt,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.memberId, sql.placeholder('memberId')),
        gt(sessions.seenAt, sql.placeholder('seenAfter')),
        gt(sessions.createdAt, sql.placeholder('createdAfter')),
      ),
    )
    .prepare(name),
)

/** Deletes expired sessions; runs daily. */
export async function purgeSessions(db: Db, limits: SessionLimits, now: Date): Promise<void> {
  await purge(db, sessions, lt(sessions.seenAt, new Date(now.getTime() - limits.idle)))
  await purge(db, sessions, lt(sessions.createdAt, new Date(now.getTime() - limits.absolute)))
}

/** The only single sign-on; an identity is (provider, subject). */
export const signOnProvider = 'cas'

/** The member of an identity; undefined before the first sign-in. */
export async function memberOfSubject(db: Reader, subject: string) {
  const [known] = await db
    .select({ id: members.id, email: members.email })
    .from(identities)
    .innerJoin(members, eq(members.id, identities.memberId))
    .where(and(eq(identities.provider, signOnProvider), eq(identities.subject, subject)))
  return known
}

/** The member with a verified e-mail address, in lower case. */
export async function memberOfVerifiedEmail(db: Reader, email: string) {
  const [member] = await db
    .select({ id: members.id, email: members.email })
    .from(members)
    .where(and(eq(members.email, email), eq(members.emailVerified, true)))
  return member
}

/** The subjects of a member; at most one, since a second one is never linked. */
export async function subjectsOf(db: Reader, memberId: string): Promise<string[]> {
  const rows = await db
    .select({ subject: identities.subject })
    .from(identities)
    .where(and(eq(identities.provider, signOnProvider), eq(identities.memberId, memberId)))
    .orderBy(identities.subject)
  return rows.map(({ subject }) => subject)
}
