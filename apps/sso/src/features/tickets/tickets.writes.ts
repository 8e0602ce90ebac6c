import type { Visitor } from '@atrium/server-kit/caller.ts'
import { purge, type Tx } from '@atrium/server-kit/database.ts'
import { and, desc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { hashOf, type Secrets } from '../../secrets.ts'
import { sessions, users } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { newTicket, ticketSeconds } from './ticket.rules.ts'
import { tickets } from './tickets.tables.ts'

interface Issue {
  secrets: Secrets
  session: { id: string; userId: string }
  /** A registered service, exactly as requested. */
  service: string
  fromNewLogin: boolean
  caller: Visitor
  now: Date
}

/** Maximum unvalidated tickets of a session; beyond it, the oldest are removed. */
const untakenTickets = 50

/** Issues a ticket for a service. The caller has locked the session. */
export async function issueTicket(tx: Tx, issue: Issue): Promise<string> {
  const { secrets, session, service, fromNewLogin, caller, now } = issue
  const ticket = newTicket()
  await makeRoom(tx, session.id)
  await tx.insert(tickets).values({
    hash: hashOf(ticket),
    sealed: secrets.seal(ticket),
    sessionId: session.id,
    service,
    fromNewLogin,
    issuedAt: now,
    expiresAt: new Date(now.getTime() + ticketSeconds * 1000),
  })
  await record(tx, {
    now,
    action: 'ticket.issued',
    userId: session.userId,
    caller,
    details: { service: new URL(service).origin, fromNewLogin },
  })
  return ticket
}

async function makeRoom(tx: Tx, sessionId: string): Promise<void> {
  const tooMany = tx
    .select({ hash: tickets.hash })
    .from(tickets)
    .where(and(eq(tickets.sessionId, sessionId), eq(tickets.accepted, false)))
    .orderBy(desc(tickets.issuedAt))
    .offset(untakenTickets - 1)
  // Checked again under the row's lock: a ticket that is being validated must stay, for its logout notice.
  await tx.delete(tickets).where(and(inArray(tickets.hash, tooMany), eq(tickets.accepted, false)))
}

interface Redemption {
  ticket: string
  service: string
  /** Accepts only a ticket issued after a password was entered. */
  renew: boolean
  /** The attempt is refused in any case, and still counts. */
  refuse: boolean
  now: Date
}

export type Redeemed = Awaited<ReturnType<typeof redeemTicket>>

/**
 * The only attempt to validate a ticket. A single statement marks it and decides, so that exactly one of several
 * concurrent attempts succeeds. The tickets of an ended session are deleted with it. Whose it is, is read afterwards: a sign-in in
 * another tab may have moved it to a new session while the statement waited for it.
 */
export async function redeemTicket(tx: Tx, { ticket, service, renew, refuse, now }: Redemption) {
  const [tried] = await tx
    .update(tickets)
    .set({
      attemptedAt: now,
      accepted: sql`${tickets.service} = ${service} and ${tickets.expiresAt} > ${now}
        and (${tickets.fromNewLogin} or not ${renew}::boolean) and not ${refuse}::boolean`,
    })
    .where(and(eq(tickets.hash, hashOf(ticket)), isNull(tickets.attemptedAt)))
    .returning({
      hash: tickets.hash,
      sessionId: tickets.sessionId,
      accepted: tickets.accepted,
      service: tickets.service,
      fromNewLogin: tickets.fromNewLogin,
    })
  const session = tried && (await sessionOfRedeemed(tx, tried))
  return session && { ...tried, ...session }
}

async function sessionOfRedeemed(tx: Tx, { hash, sessionId }: { hash: string; sessionId: string }) {
  // Tickets of a session that this one replaced are older.
  const isFirst = sql<boolean>`not exists (
    select from ${tickets} taken
    where taken.session_id = ${sessions.id} and taken.hash <> ${hash} and taken.accepted
      and taken.attempted_at >= ${sessions.createdAt})`
  const [session] = await tx
    .select({
      authenticatedAt: sessions.createdAt,
      chosenLocale: sessions.chosenLocale,
      /** Whether no ticket was accepted since the sign-in. */
      isFirst,
      user: {
        id: users.id,
        email: users.email,
        emailVerified: users.emailVerified,
        firstName: users.firstName,
        lastName: users.lastName,
        roles: users.roles,
      },
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.id, sessionId))
  return session
}

/** Removes expired tickets that were never validated; the others stay until their session ends. */
export async function sweepTickets({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purge(db, tickets, and(sql`not ${tickets.accepted}`, lte(tickets.expiresAt, clock())))
}
