import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db, Tx } from '@atrium/server-kit/database.ts'
import type { Jobs } from '@atrium/server-kit/jobs.ts'
import { and, asc, eq, gt, lt, or } from 'drizzle-orm'
import type { SsoConfig } from '../../config.ts'
import { hashOf, newToken, type Secrets } from '../../secrets.ts'
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
  secrets: Secrets
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

interface StartedSession {
  id: string
  /** For the session's cookie. */
  token: string
  /** For the browser's cookie: its id from now on. */
  browserId: string
}

/** Starts a session with a new token. What this browser had begun under an id of before, it no longer knows. */
export async function startSession(tx: Tx, start: Start): Promise<StartedSession> {
  const { accounts, lifetime, userId, caller, provider, now } = start
  const { earlier, browserId } = await signInto(tx, start)
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
  await tx
    .update(sessions)
    .set({ chosenLocale: start.chosenLocale ?? null, browser: hashOf(browserId) })
    .where(eq(sessions.id, id))
  const details = provider === undefined ? {} : { provider }
  await record(tx, { now, action: 'session.started', userId, caller, details })
  await replaceSessions(tx, { ...start, id, earlier })
  return { id, token, browserId }
}

type EarlierSession = Pick<typeof sessions.$inferSelect, 'id' | 'userId' | 'browser' | 'expiresAt'>

/**
 * Locks the earlier sessions of the browser, and chooses its id from now on: another one, unless the same person is signed in
 * already. So whoever has used the browser before cannot have noted it. Forms of one person that two tabs send at once lead to the
 * same one.
 */
async function signInto(tx: Tx, { browser, userId, secrets, now }: Start) {
  const next = browser.id === undefined ? newToken() : secrets.sign('browser', `${browser.id}.${userId}`)
  const earlier: EarlierSession[] = await tx
    .select({ id: sessions.id, userId: sessions.userId, browser: sessions.browser, expiresAt: sessions.expiresAt })
    .from(sessions)
    .where(or(isOfBrowser(browser), eq(sessions.browser, hashOf(next))))
    .orderBy(asc(sessions.id))
    .for('update')
  const { id: known } = browser
  const isKept = (old: EarlierSession) =>
    known !== undefined && old.browser === hashOf(known) && old.userId === userId && old.expiresAt > now
  return { earlier, browserId: known !== undefined && earlier.some(isKept) ? known : next }
}

/** Moves the services of the same person to the new session; those of another person, or of a session that has ended, get a single logout. */
async function replaceSessions(tx: Tx, replacing: Start & { id: string; earlier: readonly EarlierSession[] }) {
  const { id, userId, earlier, jobs, caller, now } = replacing
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
