import type { SsoSession } from '@atrium/contract/active-sessions.ts'
import { and, desc, eq, gt } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { sessions } from '../accounts/accounts.tables.ts'
import { registeredService } from '../cas/service-url.rules.ts'
import { tickets } from '../tickets/tickets.tables.ts'

/** The active sessions of an account, with the tickets that opened the account page. */
export async function sessionsOfUser({ db, config, clock }: Deps, userId: string): Promise<SsoSession[]> {
  const rows = await db
    .select({ session: sessions, ticket: { hash: tickets.hash, service: tickets.service } })
    .from(sessions)
    .leftJoin(tickets, and(eq(tickets.sessionId, sessions.id), tickets.accepted))
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, clock())))
    .orderBy(desc(sessions.updatedAt), sessions.id)
  const bySession = Map.groupBy(rows, ({ session }) => session.id)
  return [...bySession.values()].flatMap((itsRows) => {
    const [first] = itsRows
    if (!first) return []
    const { id, userAgent, ipAddress, createdAt, updatedAt } = first.session
    const opened = itsRows.flatMap(({ ticket }) =>
      ticket && registeredService(ticket.service, [config.ACCOUNT_URL]) ? [hexOf(ticket.hash)] : [],
    )
    return {
      id,
      userAgent: userAgent ?? '',
      address: ipAddress === '' ? null : ipAddress,
      startedAt: seconds(createdAt),
      usedAt: seconds(updatedAt),
      tickets: opened,
    }
  })
}

const seconds = (date: Date) => Math.trunc(date.getTime() / 1000)

/** Hashes are base64url here, and hex at the account page. */
const hexOf = (hash: string) => Buffer.from(hash, 'base64url').toString('hex')
