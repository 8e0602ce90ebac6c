import type { Member, Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { record } from '../activity/activity.writes.ts'
import { memberOfPrincipal } from './identities.writes.ts'
import { hashOf, type IdentityRefusal, newToken } from './session.rules.ts'
import { sessions } from './session.tables.ts'

interface SignIn {
  principal: CasSuccess
  emailVerified: boolean
  ticket: string
  /** Token of the browser's present session. */
  replaced: string | undefined
  visitor: Visitor
  /** As the browser sent it. */
  userAgent: string | undefined
  /** When the person entered their credentials; null: nothing says so. */
  freshAt: Date | null
  now: Date
}

type SignInOutcome = { kind: 'signed-in'; token: string } | { kind: 'refused'; reason: IdentityRefusal }

/** Starts a new session for a person accepted by the single sign-on, and returns its token. */
export function signIn(
  { db, ...deps }: Pick<Deps, 'db' | 'jobs' | 'config'>,
  { ticket, replaced, userAgent = '', freshAt, ...arrival }: SignIn,
): Promise<SignInOutcome> {
  const { principal, visitor, now } = arrival
  return db.transaction(async (tx) => {
    const standing = await memberOfPrincipal(tx, deps, arrival)
    if (standing.kind === 'refused') return standing
    const { member } = standing

    if (replaced) await endReplaced(tx, replaced, visitor, now)
    const token = newToken()
    const [session] = await tx
      .insert(sessions)
      .values({
        tokenHash: hashOf(token),
        memberId: member.id,
        subject: principal.user,
        ticketHash: hashOf(ticket),
        userAgent: userAgent.slice(0, 400),
        address: visitor.address,
        createdAt: now,
        freshAt,
        seenAt: now,
      })
      .returning({ id: sessions.id })
    const target = session?.id ?? ''
    await record(tx, { ...visitor, id: member.id }, { action: 'session.started', target, now })
    return { kind: 'signed-in', token }
  })
}

/** Every sign-in starts a new session, so the browser's previous one ends, whoever's it was. */
async function endReplaced(tx: Tx, token: string, visitor: Visitor, now: Date): Promise<void> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashOf(token)))
    .returning()
  if (!ended) return
  const actor = { ...visitor, id: ended.memberId }
  await record(tx, actor, { action: 'session.replaced', target: ended.id, now })
}

/** Ends the caller's session. */
export function signOut(db: Db, member: Member, now: Date): Promise<void> {
  return db.transaction(async (tx) => {
    const ended = await tx.delete(sessions).where(eq(sessions.id, member.sessionId)).returning({ id: sessions.id })
    if (ended.length > 0) await record(tx, member, { action: 'session.ended', target: member.sessionId, now })
  })
}

/** Single logout: ends the sessions that a ticket opened, if any. */
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
