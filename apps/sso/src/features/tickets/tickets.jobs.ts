import { purge } from '@atrium/server-kit/database.ts'
import { and, lte, sql } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { tickets } from './tickets.tables.ts'

/** Clears away tickets that nobody can use and nobody is owed a notice for. */
export async function ticketJobs(deps: Deps): Promise<void> {
  await deps.jobs.schedule('ticket-sweep', '41 * * * *', () => sweepTickets(deps))
}

/** Removes tickets that ran out and that no service took; the others stay until their session ends. */
export async function sweepTickets({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purge(db, tickets, and(sql`not ${tickets.accepted}`, lte(tickets.expiresAt, clock())))
}
