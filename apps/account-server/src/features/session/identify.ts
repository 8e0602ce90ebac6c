import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { logCaller } from '@atrium/server-kit/logged-caller.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import { eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { members } from '../../db/members.tables.ts'
import type { Deps } from '../../deps.ts'
import { sessionCookie } from './session.cookies.ts'
import { liveSession, type SessionLimits } from './session.queries.ts'
import { hashOf, isFresh, isToken } from './session.rules.ts'
import { sessions } from './session.tables.ts'

/** Minimum interval for writing the sliding expiry, in milliseconds. */
const slideEvery = 60_000

export function sessionLimits(config: Deps['config']): SessionLimits {
  return { idle: config.SESSION_IDLE_MINUTES * 60_000, absolute: config.SESSION_ABSOLUTE_HOURS * 3_600_000 }
}

interface SignedIn extends Member {
  /** End of the support's access; none if null or in the past. */
  supportAccessUntil: Date | null
}

interface How {
  /** The language of the page that is about to be sent: that of the member's emails and invoices. */
  shown?: LocaleCode
  /** Requested by the page itself, so that nobody may be there. */
  isPolled?: boolean | undefined
}

/**
 * Identifies the caller by the session cookie. One query, plus a write at most once a minute, and one when the language changes.
 */
export function identifier(deps: Deps) {
  const { db, wallClock } = deps
  const limits = sessionLimits(deps.config)
  const cookie = sessionCookie(deps.config)

  return async (request: FastifyRequest, { shown, isPolled }: How = {}): Promise<SignedIn | undefined> => {
    const token = request.cookies[cookie.name]
    if (!isToken(token)) return undefined

    const now = wallClock()
    const found = await liveSession(db, hashOf(token), limits, now)
    if (!found) return undefined

    if (!isPolled && now.getTime() - found.seenAt.getTime() > slideEvery) {
      await db.update(sessions).set({ seenAt: now }).where(eq(sessions.id, found.id))
    }
    if (shown && shown !== found.locale) {
      await db.update(members).set({ locale: shown }).where(eq(members.id, found.memberId))
    }
    const { id: sessionId, memberId: id, email, firstName, lastName, subject, supportAccessUntil } = found
    logCaller(request, { memberId: id })
    const member = { ...visitor(request), id, email, firstName, lastName, sessionId, subject }
    return { ...member, isFresh: isFresh(found.freshAt, now), supportAccessUntil }
  }
}
