import { type Db, prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, gt, or, type SQL, sql } from 'drizzle-orm'
import { hashOf } from '../../secrets.ts'
import { sessions, users } from '../accounts/accounts.tables.ts'
import { tickets } from '../tickets/tickets.tables.ts'

const sessionByToken = prepared('sso_session_by_token', (db, name) =>
  db
    .select({
      id: sessions.id,
      userId: users.id,
      email: users.email,
      createdAt: sessions.createdAt,
      updatedAt: sessions.updatedAt,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(and(eq(sessions.token, sql.placeholder('hash')), gt(sessions.expiresAt, sql.placeholder('now'))))
    .prepare(name),
)

export type Session = Awaited<ReturnType<typeof sessionOf>>

/** The active session of a cookie's token. */
export async function sessionOf(db: Reader, token: string | undefined, now: Date) {
  if (!token) return undefined
  const [session] = await sessionByToken(db).execute({ hash: hashOf(token), now })
  return session
}

/** What a browser says of itself with its cookies. */
export interface Browser {
  /** The token of its session. */
  token: string | undefined
  /** See `browserId`. */
  id: string | undefined
}

/** The sessions of a browser: several after two sign-ins at once, in two tabs. The cookie is that of one, which may have ended. */
export function isOfBrowser({ token, id }: Browser): SQL | undefined {
  return or(token ? eq(sessions.token, hashOf(token)) : sql`false`, id ? eq(sessions.browser, hashOf(id)) : sql`false`)
}

/** The active session that a validated ticket belongs to, and the service that validated it. */
export async function sessionOfTicket(db: Db, ticketHash: string, now: Date) {
  const [session] = await db
    .select({
      id: sessions.id,
      userId: sessions.userId,
      createdAt: sessions.createdAt,
      updatedAt: sessions.updatedAt,
      service: tickets.service,
    })
    .from(tickets)
    .innerJoin(sessions, eq(sessions.id, tickets.sessionId))
    .where(and(eq(tickets.hash, ticketHash), tickets.accepted, gt(sessions.expiresAt, now)))
  return session
}

/** Locks an active session, so that it cannot end while a ticket is issued, and its tickets are issued one at a time. */
export async function holdSession(tx: Tx, sessionId: string, now: Date): Promise<boolean> {
  const rows = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(sessions.expiresAt, now)))
    .for('no key update')
  return rows.length > 0
}
