import { asc, lte } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { logoutAddress, registeredService } from '../cas/service-url.rules.ts'
import { endSessions, type LogoutNotice, logoutQueue } from '../session/end-sessions.writes.ts'
import { logoutRequest } from './logout-request.rules.ts'

const timeoutMs = 10_000

/** By then the service's own limits have probably ended its session. */
const deadlineMs = 24 * 3_600_000

/** Retries after seconds at first, then up to once an hour, until after the deadline. */
const retries = { retryLimit: 60, retryDelay: 5, retryDelayMax: 3600 }

/** How many sessions are ended in one transaction. */
const sweepSize = 200

/** Sends single logout notices, and ends expired sessions. */
export async function signOutJobs(deps: Deps): Promise<void> {
  const { jobs } = deps
  await jobs.work<LogoutNotice>(logoutQueue, (notice, jobId) => deliverLogout(deps, notice, jobId), retries)
  await jobs.schedule('session-sweep', '* * * * *', async () => {
    while ((await endExpiredSessions(deps)) === sweepSize);
  })
}

/** @throws Error before the deadline if the service did not accept the notice, so that the queue retries it */
export async function deliverLogout(deps: Deps, notice: LogoutNotice, jobId: string): Promise<void> {
  const { secrets, config, clock, logger } = deps
  const { service, sealed, userId, endedAt } = notice
  // A service that is no longer registered gets no more notices.
  if (!registeredService(service, config.SSO_SERVICES)) return

  const address = logoutAddress(service)
  try {
    const ticket = secrets.open(sealed)
    await postLogout(address, logoutRequest({ ticket, user: userId, endedAt, id: jobId }))
  } catch (error) {
    if (clock().getTime() - Date.parse(endedAt) < deadlineMs) throw error
    logger.error({ event: 'single_logout.abandoned', err: error, address, userId, jobId }, 'single logout abandoned')
  }
}

/** Only 2xx is an acceptance. Redirects are not followed, because the ticket is for this address only. */
async function postLogout(address: string, message: string): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ logoutRequest: message }),
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${address} answered ${response.status} to a single logout`)
}

/** @returns how many were ended */
export function endExpiredSessions({ db, jobs, clock }: Deps): Promise<number> {
  const now = clock()
  return db.transaction(async (tx) => {
    const expired = await tx
      .select({ id: sessions.id })
      .from(sessions)
      .where(lte(sessions.expiresAt, now))
      .orderBy(asc(sessions.expiresAt))
      .limit(sweepSize)
      .for('update', { skipLocked: true })
    await endSessions(
      tx,
      expired.map(({ id }) => id),
      { jobs, reason: 'expired', now },
    )
    return expired.length
  })
}
