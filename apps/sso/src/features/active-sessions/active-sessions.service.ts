import type { ssoEndSessions } from '@atrium/contract/active-sessions.ts'
import type { EndpointInput } from '@atrium/contract/endpoint.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { lockUser } from '../accounts/accounts.queries.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { endSessions } from '../session/end-sessions.writes.ts'
import { tickets } from '../tickets/tickets.tables.ts'

interface End {
  userId: string
  ended: EndpointInput<typeof ssoEndSessions>['body']['ended']
}

/** Ends a session of an account, or all but one; what has ended already, or is not the account's, is left alone. */
export function endSessionsFor({ db, jobs, clock }: Deps, { userId, ended }: End): Promise<void> {
  return db.transaction(async (tx) => {
    // No session of the account can start meanwhile.
    await lockUser(tx, userId)
    const own = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
    const kept = ended.which === 'others' ? await sessionOfOwnTicket(tx, userId, ended.ticket) : undefined
    const ids = own.map(({ id }) => id).filter((id) => (ended.which === 'one' ? id === ended.id : id !== kept))
    await endSessions(tx, ids, { jobs, reason: 'signed-out-elsewhere', now: clock() })
  })
}

async function sessionOfOwnTicket(tx: Tx, userId: string, ticketHash: string): Promise<string | undefined> {
  const hash = Buffer.from(ticketHash, 'hex').toString('base64url')
  const [found] = await tx
    .select({ id: sessions.id })
    .from(tickets)
    .innerJoin(sessions, eq(sessions.id, tickets.sessionId))
    .where(and(eq(tickets.hash, hash), eq(sessions.userId, userId)))
  return found?.id
}
