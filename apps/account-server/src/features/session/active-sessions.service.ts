import type { ActiveSessions } from '@atrium/contract/active-sessions.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { record } from '../activity/activity.writes.ts'
import { type OpenSession, openSessions } from './active-sessions.rules.ts'
import { sessionLimits } from './identify.ts'
import { sessionsOfMember } from './session.queries.ts'
import { sessions } from './session.tables.ts'
import { signedToken } from './signed-token.ts'

/** Browsers in which the member is signed in. While the single sign-on cannot be reached, those that it knows alone are missing. */
export async function activeSessions(deps: Deps, member: Member): Promise<ActiveSessions> {
  const { open, isComplete } = await openSessionsOf(deps, member)
  return { sessions: open.map(({ shown }) => shown), isComplete }
}

/**
 * Signs out a browser: here, then at the single sign-on.
 * @param id as listed: while the single sign-on could not be reached, a session of ours
 * @throws Problem `not_found`; `sign_on_unreachable` if it was signed out only here; `browser_not_signed_out` if it is not known here
 */
export async function endActiveSession(deps: Deps, member: Member, id: string): Promise<ActiveSessions> {
  const { open, isComplete } = await openSessionsOf(deps, member)
  const found = open.find(({ shown, ownIds }) => shown.id === id || ownIds.includes(id))
  if (!found && !isComplete) throw new Problem('browser_not_signed_out', { retryAfter: 5 })
  if (!found) throw new Problem('not_found')

  await endOwn(deps, member, inArray(sessions.id, [...found.ownIds]))
  if (!isComplete) throw new Problem('sign_on_unreachable', { retryAfter: 5 })
  if (found.ssoId !== undefined) {
    await deps.sso.endSessions(await token(deps, member, 'end-sessions'), { which: 'one', id: found.ssoId })
  }
  return activeSessions(deps, member)
}

/** Signs out all browsers but the caller's. @throws Problem `sign_on_unreachable` if they were signed out only here */
export async function endOtherActiveSessions(deps: Deps, member: Member): Promise<ActiveSessions> {
  await endOwn(deps, member, ne(sessions.id, member.sessionId))
  const [own] = await deps.db
    .select({ ticket: sessions.ticketHash })
    .from(sessions)
    .where(eq(sessions.id, member.sessionId))
  if (!own) throw new Problem('signed_out')
  await deps.sso.endSessions(await token(deps, member, 'end-sessions'), { which: 'others', ...own })
  return activeSessions(deps, member)
}

async function openSessionsOf(deps: Deps, member: Member): Promise<{ open: OpenSession[]; isComplete: boolean }> {
  const { db, config, wallClock, sso } = deps
  const [own, atSso] = await Promise.all([
    sessionsOfMember(db, member, sessionLimits(config), wallClock()),
    token(deps, member, 'sessions')
      .then((accessToken) => sso.sessions(accessToken))
      .catch(unlessReachable),
  ])
  const open = openSessions({ own, atSso: atSso || [], currentId: member.sessionId })
  return { open, isComplete: atSso !== false }
}

/** @returns false if the single sign-on cannot be reached */
function unlessReachable(error: unknown): false {
  if (error instanceof Problem && error.code === 'sign_on_unreachable') return false
  throw error
}

function token(deps: Deps, member: Member, purpose: 'sessions' | 'end-sessions'): Promise<string> {
  return signedToken(deps, member, { purpose, audience: deps.config.SSO_URL })
}

async function endOwn({ db, wallClock }: Deps, member: Member, which: ReturnType<typeof eq>): Promise<void> {
  const now = wallClock()
  await db.transaction(async (tx) => {
    const ended = await tx
      .delete(sessions)
      .where(and(eq(sessions.memberId, member.id), which))
      .returning({ id: sessions.id })
    for (const { id: target } of ended) await record(tx, member, { action: 'session.ended', target, now })
  })
}
