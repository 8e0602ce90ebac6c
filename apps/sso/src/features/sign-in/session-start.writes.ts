import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import type { Deps } from '../../deps.ts'
import { setUserLocale } from '../accounts/accounts.writes.ts'
import type { Browser } from '../session/session.queries.ts'
import { startSession } from '../session/session.writes.ts'
import { issueTicket } from '../tickets/tickets.writes.ts'

/** The browser of a sign-in. */
export interface SigningBrowser {
  browser: Browser
  userAgent: string | undefined
  /** The language that the person chose on our pages, for the service. */
  chosenLocale: string | undefined
  caller: Visitor
}

interface Start extends SigningBrowser {
  userId: string
  locale: string
  /** A registered service, exactly as requested. */
  service: string | null
  /** The login provider; absent for a password. Whether it has asked for one is unknown, so it does not count as a new login. */
  provider?: string
}

export interface Started {
  /** For the session's cookie. */
  token: string
  /** For the browser's cookie: its id from now on. */
  browserId: string
  /** For the service, if there is one. */
  ticket: string | undefined
}

/** Starts a session after a password or a provider, and issues a ticket. The caller has locked the account. */
export async function startSignedIn(deps: Deps, tx: Tx, start: Start): Promise<Started> {
  const { accounts, jobs, config, secrets, clock } = deps
  const { userId, locale, chosenLocale, service, provider, caller } = start
  const now = clock()
  await setUserLocale(tx, userId, chosenLocale ?? locale)
  const session = await startSession(tx, { ...start, accounts, jobs, secrets, lifetime: config, now })
  const { token, browserId } = session
  if (service === null) return { token, browserId, ticket: undefined }
  const ticket = await issueTicket(tx, {
    secrets,
    session: { id: session.id, userId },
    service,
    fromNewLogin: provider === undefined,
    caller,
    now,
  })
  return { token, browserId, ticket }
}
