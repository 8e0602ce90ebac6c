import { asc, lte } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { logoutAddress, registeredService } from '../tickets/service-url.rules.ts'
import { endSessions, type LogoutNotice, logoutQueue } from './end-sessions.writes.ts'
import { logoutRequest } from './logout-request.rules.ts'

const patience = 10_000

/** Sessions ended in one transaction. */
const sweepSize = 200

/** Tells services that a session is over, and ends sessions whose time is up. */
export async function signOutJobs(deps: Deps): Promise<void> {
  const { jobs, secrets, settings } = deps

  await jobs.work<LogoutNotice>(logoutQueue, async ({ service, sealed, userId, endedAt }, jobId) => {
    // A service that was taken off the list hears nothing more of its users.
    if (!registeredService(service, settings.services)) return
    await postLogout(
      logoutAddress(service),
      logoutRequest({ ticket: secrets.open(sealed), user: userId, endedAt, id: jobId }),
    )
  })

  await jobs.schedule('session-sweep', '* * * * *', async () => {
    while ((await endExpiredSessions(deps)) === sweepSize);
  })
}

/** Any answer means that the service has heard; only a service that cannot be reached is tried again. */
async function postLogout(address: string, message: string): Promise<void> {
  const response = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ logoutRequest: message }),
    redirect: 'manual',
    signal: AbortSignal.timeout(patience),
  })
  await response.body?.cancel()
}

/** @returns how many were ended. */
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
