import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, asc, eq, gt, lt, ne } from 'drizzle-orm'
import type { SsoConfig } from '../../config.ts'
import { hashOf, newToken } from '../../secrets.ts'
import type { Accounts } from '../accounts/accounts.auth.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { record } from '../activity/activity.writes.ts'
import { tickets } from '../tickets/tickets.tables.ts'
import { endSessions } from './end-sessions.writes.ts'
import { type Browser, isOfBrowser } from './session.queries.ts'

type Lifetime = Pick<SsoConfig, 'SSO_SESSION_IDLE_MINUTES' | 'SSO_SESSION_MINUTES'>

const minute = 60_000

/** A session ends when it is idle, and at the latest some hours after the password was entered. */
function sessionEnd(createdAt: Date, usedAt: Date, lifetime: Lifetime): Date {
  const { SSO_SESSION_MINUTES: absolute, SSO_SESSION_IDLE_MINUTES: idle } = lifetime
  return new Date(Math.min(createdAt.getTime() + absolute * minute, usedAt.getTime() + idle * minute))
}

interface Start {
  accounts: Accounts
  jobs: Jobs
  lifetime: Lifetime
  userId: string
  /** Its earlier sessions are replaced by the new one. */
  browser: Browser
  caller: Visitor
  userAgent: string | undefined
  /** The language that the person chose on our pages, for the service. */
  chosenLocale: string | undefined
  /** The login provider; absent for a password. */
  provider?: string
  now: Date
}

/** Starts a session with a new token. @returns its id and the token for the cookie */
export async function startSession(tx: Tx, start: Start): Promise<{ id: string; token: string }> {
  const { accounts, lifetime, userId, caller, provider, now } = start
  const token = newToken()
  const { id } = await accounts.within(tx).createSession(
    userId,
    false,
    {
      token: hashOf(token),
      createdAt: now,
      updatedAt: now,
      expiresAt: sessionEnd(now, now, lifetime),
      ipAddress: caller.address,
      userAgent: start.userAgent?.slice(0, 400) ?? '',
    },
    true,
  )
  const browser = start.browser.id === undefined ? null : hashOf(start.browser.id)
  await tx
    .update(sessions)
    .set({ chosenLocale: start.chosenLocale ?? null, browser })
    .where(eq(sessions.id, id))
  const details = provider === undefined ? {} : { provider }
  await record(tx, { now, action: 'session.started', userId, caller, details })
  await replaceSessions(tx, { ...start, id })
  return { id, token }
}

/** Moves the services of the same person to the new session; those of another person, or of a session that has ended, get a single logout. */
async function replaceSessions(tx: Tx, { id, userId, browser, jobs, caller, now }: Start & { id: string }) {
  const earlier = await tx
    .select({ id: sessions.id, userId: sessions.userId, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(and(isOfBrowser(browser), ne(sessions.id, id)))
    .orderBy(asc(sessions.id))
    .for('update')
  for (const old of earlier) {
    const isLive = old.expiresAt > now
    if (old.userId === userId && isLive)
      await tx.update(tickets).set({ sessionId: id }).where(eq(tickets.sessionId, old.id))
    await endSessions(tx, [old.id], { jobs, reason: isLive ? 'replaced' : 'expired', caller, now })
  }
}

/** Extends the idle time of a session in use, at most once a minute: never one that was ended since it was read. */
export async function keepAlive(
  db: Db,
  session: { id: string; createdAt: Date; updatedAt: Date },
  lifetime: Lifetime,
  now: Date,
): Promise<void> {
  if (now.getTime() - session.updatedAt.getTime() < minute) return
  await db
    .update(sessions)
    .set({ updatedAt: now, expiresAt: sessionEnd(session.createdAt, now, lifetime) })
    .where(and(eq(sessions.id, session.id), lt(sessions.updatedAt, now), gt(sessions.expiresAt, now)))
}
