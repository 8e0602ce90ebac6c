import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Deps } from '../../deps.ts'
import { holdSession, type Session } from '../session/session.queries.ts'
import { keepAlive } from '../session/session.writes.ts'
import { issueTicket } from '../tickets/tickets.writes.ts'

interface Wanted {
  session: NonNullable<Session>
  /** One that may have it, exactly as requested. */
  service: string
  caller: Visitor
}

/** A ticket for who is signed in; undefined if the session has just ended. */
export async function ticketFromSession(
  { db, secrets, config, clock }: Deps,
  { session, service, caller }: Wanted,
): Promise<string | undefined> {
  const now = clock()
  await keepAlive(db, session, config, now)
  return db.transaction(async (tx) => {
    if (!(await holdSession(tx, session.id, now))) return undefined
    return issueTicket(tx, { secrets, session, service, fromNewLogin: false, caller, now })
  })
}
