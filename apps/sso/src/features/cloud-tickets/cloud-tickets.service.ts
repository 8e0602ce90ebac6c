import type { Visitor } from '@atrium/server-kit/caller.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import { z } from 'zod'
import { readAccountToken } from '../../account-token.ts'
import type { Deps } from '../../deps.ts'
import { registeredService } from '../cas/service-url.rules.ts'
import { holdSession, sessionOfTicket } from '../session/session.queries.ts'
import { keepAlive } from '../session/session.writes.ts'
import { issueTicket } from '../tickets/tickets.writes.ts'
import { cloudTicketRequests } from './cloud-tickets.tables.ts'

const Claims = z.object({
  /** A session is named by the ticket that it began with at the account page, so the token alone impersonates nobody. */
  sub: z.string().regex(/^[0-9a-f]{64}$/),
  jti: z.string().min(1).max(200),
  purpose: z.literal('cloud-ticket'),
  service: z.string().max(2000),
})

/** Milliseconds for which a request is remembered: longer than it is accepted. */
const requestLife = 120_000

/**
 * Issues a ticket for a cloud service, from the session in which the account page's own ticket was issued.
 * @throws Problem `token_refused`, `service_refused`, `session_ended`
 */
export async function issueCloudTicket(deps: Deps, request: string, caller: Visitor): Promise<{ ticket: string }> {
  const { db, secrets, config, clock } = deps
  const { sub, jti, service } = await readAccountToken(deps, request, Claims)
  if (!config.SSO_CLOUD_SERVICES.includes(service)) throw new Problem('service_refused')

  const now = clock()
  // The hash is hex there, and base64url here.
  const session = await sessionOfTicket(db, Buffer.from(sub, 'hex').toString('base64url'), now)
  // A ticket of another service names no session of the account page.
  if (!session || !registeredService(session.service, [config.ACCOUNT_URL])) throw new Problem('session_ended')

  await keepAlive(db, session, config, now)
  return db.transaction(async (tx) => {
    const expiresAt = new Date(now.getTime() + requestLife)
    const first = await tx
      .insert(cloudTicketRequests)
      .values({ tokenId: jti, expiresAt })
      .onConflictDoNothing()
      .returning()
    if (first.length === 0) throw new Problem('token_refused')
    if (!(await holdSession(tx, session.id, now))) throw new Problem('session_ended')
    return { ticket: await issueTicket(tx, { secrets, session, service, fromNewLogin: false, caller, now }) }
  })
}
