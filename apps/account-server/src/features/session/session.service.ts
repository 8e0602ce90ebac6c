import type { Member, Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import { identities, members } from '../../db/members.tables.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { record } from '../activity/activity.writes.ts'
import { memberOfSubject, memberOfVerifiedEmail, signOnProvider } from './session.queries.ts'
import { emailOf, hashOf, newToken } from './session.rules.ts'
import { sessions } from './session.tables.ts'

interface SignIn {
  principal: CasSuccess
  emailVerified: boolean
  ticket: string
  /** Token of the session that this browser has now. */
  replaced: string | undefined
  visitor: Visitor
  now: Date
}

/** Starts a fresh session for whom the single sign-on vouches, and answers its token. */
export function signIn(db: Db, { principal, emailVerified, ticket, replaced, visitor, now }: SignIn): Promise<string> {
  return db.transaction(async (tx) => {
    // Two first sign-ins of one person, or with one address, must find, not double, the member. Always in this order.
    for (const name of [`subject:${principal.user}`, `email:${emailOf(principal)}`]) {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`)
    }
    const member = (await memberOfSubject(tx, principal.user)) ?? (await newMember(tx, principal, emailVerified, now))

    if (replaced) await endReplaced(tx, replaced, visitor, now)
    const token = newToken()
    const [session] = await tx
      .insert(sessions)
      .values({
        tokenHash: hashOf(token),
        memberId: member.id,
        subject: principal.user,
        ticketHash: hashOf(ticket),
        createdAt: now,
        seenAt: now,
      })
      .returning({ id: sessions.id })
    const target = session?.id ?? ''
    await record(tx, { ...visitor, id: member.id }, { action: 'session.started', target, now })
    return token
  })
}

/** A fresh session at every sign-in: the browser's old one ends, whoever's it was. */
async function endReplaced(tx: Tx, token: string, visitor: Visitor, now: Date): Promise<void> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning()
  if (!ended) return
  const actor = { ...visitor, id: ended.memberId }
  await record(tx, actor, { action: 'session.replaced', target: ended.id, now })
}

/** A first sign-in: joins the imported member with the same verified e-mail, or makes a new one. */
async function newMember(tx: Tx, { user, attributes }: CasSuccess, emailVerified: boolean, now: Date) {
  const email = emailOf({ user, attributes })
  const member = (emailVerified && (await memberOfVerifiedEmail(tx, email))) || (await insertMember())
  await tx.insert(identities).values({ provider: signOnProvider, subject: user, memberId: member.id, createdAt: now })
  return member

  async function insertMember() {
    const [inserted] = await tx
      .insert(members)
      .values({
        email,
        emailVerified,
        firstName: (attributes.firstName ?? '').slice(0, 32),
        lastName: (attributes.lastName ?? '').slice(0, 32),
        createdAt: now,
      })
      .returning({ id: members.id, email: members.email })
    if (!inserted) throw new Error('insert answered no row')
    return inserted
  }
}

/** Ends the caller's session. */
export function signOut(db: Db, member: Member, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).where(eq(sessions.id, member.sessionId)).returning({ id: sessions.id })
    if (ended.length > 0) await record(tx, member, { action: 'session.ended', target: member.sessionId, now })
  })
}

/** Single logout: ends the sessions that a ticket opened. Of a ticket that we never held, there are none. */
export function endSessionsOfTicket(db: Db, ticket: string, visitor: Visitor, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(eq(sessions.ticketHash, hashOf(ticket)))
      .returning()
    for (const session of ended) {
      await record(
        tx,
        { ...visitor, id: session.memberId },
        { action: 'session.ended_by_single_logout', target: session.id, now },
      )
    }
  })
}
