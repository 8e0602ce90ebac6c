import type { SupportRequest, SupportSessions } from '@atrium/contract/support-sessions.ts'
import type { Member, Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, gt, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { epochSeconds, grantedUntil } from '../../db/members.rules.ts'
import { members } from '../../db/members.tables.ts'
import type { Deps } from '../../deps.ts'
import type { CasSuccess } from '../../outside/cas-xml.ts'
import { recordSupport } from '../activity/activity.writes.ts'
import { sendEmail } from '../mail/mail.writes.ts'
import { hashOf, newToken } from '../session/session.rules.ts'
import { supportStartedEmail } from './support-email.ts'
import { oldestSignIn, runningSessionsOf } from './support-sessions.queries.ts'
import { agentNameOf, sessionEnd } from './support-sessions.rules.ts'
import { supportSessions, supportSignIns } from './support-sessions.tables.ts'
import { endSupportSessions, type SupportEndJob, supportEndsQueue } from './support-sessions.writes.ts'

interface AgentSignIn {
  principal: CasSuccess
  ticket: string
  /** Token of the support cookie before. */
  replaced: string | undefined
  visitor: Visitor
  now: Date
}

/** Signs in a support agent, who sees no account yet. @returns the new token of the support cookie */
export function signInAgent({ db }: Pick<Deps, 'db'>, { principal, ticket, replaced, visitor, now }: AgentSignIn) {
  const token = newToken()
  return db.transaction(async (tx) => {
    if (replaced) await endToken(tx, replaced, visitor, now)
    const [agent] = await tx
      .insert(supportSignIns)
      .values({
        tokenHash: hashOf(token),
        ticketHash: hashOf(ticket),
        agentSubject: principal.user,
        agentName: agentNameOf(principal),
        createdAt: now,
      })
      .returning({ id: supportSignIns.id })
    const who = { ...visitor, agent: principal.user, memberId: null }
    await recordSupport(tx, who, { action: 'support.signed_in', target: agent?.id ?? '', now })
    return token
  })
}

interface Start {
  /** The agent's unused sign-in. */
  agent: Pick<typeof supportSignIns.$inferSelect, 'id'>
  asked: z.output<typeof SupportRequest>
  visitor: Visitor
  now: Date
}

/**
 * Starts a support session (the table of support access in Security Settings), which the member reads in an email and their activity.
 * @returns the new token of the support cookie
 * @throws Problem `support_not_granted`, alike for every address that lets nobody in; `signed_out` if the sign-in was used
 */
export function startSession(deps: Deps, { agent, asked, visitor, now }: Start): Promise<string> {
  const { email, reason, ticket } = asked
  return deps.db.transaction(async (tx) => {
    // The member's row is the lock: a grant that is withdrawn meanwhile either ends this session, or refuses it.
    const [member] = await tx
      .select()
      .from(members)
      .where(and(eq(members.email, email), eq(members.emailVerified, true), gt(members.supportAccessUntil, now)))
      .for('no key update')
    if (!member?.supportAccessUntil) throw new Problem('support_not_granted')

    const signIn = await useSignIn(tx, agent.id, now)
    const { agentSubject, agentName, ticketHash } = signIn
    const endsAt = sessionEnd(now, member.supportAccessUntil)
    const token = newToken()
    const values = { agentSubject, agentName, ticketHash, memberId: member.id, reason, ticket, startedAt: now, endsAt }
    const [session] = await tx
      .insert(supportSessions)
      .values({ ...values, tokenHash: hashOf(token) })
      .returning()
    if (!session) throw new Error('the support session was not stored')

    const details = { agent: agentName, reason, ticket, until: endsAt }
    const who = { ...visitor, agent: agentSubject, memberId: member.id }
    await recordSupport(tx, who, { action: 'support.started', target: session.id, details, now })
    await sendEmail(deps, tx, supportStartedEmail(deps.config, { member, session }))
    const later = { seconds: Math.ceil((endsAt.getTime() - now.getTime()) / 1000) }
    await deps.jobs.sendLater(tx, supportEndsQueue, { id: session.id } satisfies SupportEndJob, later)
    return token
  })
}

/** Each sign-in starts one support session: of two requests, one gets it. */
async function useSignIn(tx: Tx, id: string, now: Date) {
  const [used] = await tx
    .delete(supportSignIns)
    .where(and(eq(supportSignIns.id, id), gt(supportSignIns.createdAt, oldestSignIn(now))))
    .returning()
  if (!used) throw new Problem('signed_out')
  return used
}

/** The support agents who are signed in to a member's account now. */
export async function supportSessionsOf({ db, wallClock }: Deps, member: Member): Promise<SupportSessions> {
  const now = wallClock()
  const rows = await runningSessionsOf(db, member, now)
  const sessions = rows.flatMap(({ session }) => {
    if (!session) return []
    const { startedAt, endsAt, ...others } = session
    return [{ ...others, startedAt: epochSeconds(startedAt), endsAt: epochSeconds(endsAt) }]
  })
  return { grantedUntil: grantedUntil(rows[0]?.supportAccessUntil ?? null, now), sessions }
}

/** Ends a support session of the member's account; one that has ended, or is another member's, changes nothing. */
export async function endByMember(deps: Deps, member: Member, id: string): Promise<SupportSessions> {
  const isTheirs = sql`${supportSessions.id} = ${id} and ${supportSessions.memberId} = ${member.id}`
  const ending = { by: 'member', actor: member, now: deps.wallClock() } as const
  await deps.db.transaction((tx) => endSupportSessions(tx, isTheirs, ending))
  return supportSessionsOf(deps, member)
}

/** Ends what the support cookie stands for. */
export function endByAgent({ db, wallClock }: Deps, token: string, visitor: Visitor): Promise<void> {
  return db.transaction((tx) => endToken(tx, token, visitor, wallClock()))
}

async function endToken(tx: Tx, token: string, actor: Visitor, now: Date): Promise<void> {
  await tx.delete(supportSignIns).where(eq(supportSignIns.tokenHash, hashOf(token)))
  await endSupportSessions(tx, eq(supportSessions.tokenHash, hashOf(token)), { by: 'agent', actor, now })
}

/** Single logout of the agent: ends what a ticket opened. */
export function endByTicket({ db, wallClock }: Deps, ticket: string, actor: Visitor): Promise<void> {
  const hash = hashOf(ticket)
  return db.transaction(async (tx) => {
    await tx.delete(supportSignIns).where(eq(supportSignIns.ticketHash, hash))
    await endSupportSessions(tx, eq(supportSessions.ticketHash, hash), { by: 'agent', actor, now: wallClock() })
  })
}
