import type { Visitor } from '@atrium/server-kit/caller.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOf, credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { setUserLocale } from '../accounts/accounts.writes.ts'
import type { ServiceUrl } from '../cas/service-url.rules.ts'
import type { Delays } from '../delays/delays.writes.ts'
import { startSession } from '../session/session.writes.ts'
import { issueTicket } from '../tickets/tickets.writes.ts'

interface SignIn {
  email: string
  password: string
  locale: string
  service: ServiceUrl | undefined
  /** Id of this browser, if the account knows it. */
  device: string | undefined
  /** Token of this browser's current session. */
  replaced: string | undefined
  userAgent: string | undefined
  caller: Visitor
}

/**
 * Checks the password, starts a session and, for a service, issues a ticket. An address without an account takes as long
 * and gets the same reply. @throws Problem `wrong_credentials`, `too_often`
 */
export async function signInWithPassword(deps: Deps, signIn: SignIn) {
  const { db, hashing, delays, clock } = deps
  const allowances = allowancesOf(delays, signIn)
  for (const { allowance, key } of allowances) await allowance.take(key)

  const found = await credentialOf(db, signIn.email)
  const isRight = found?.passwordHash
    ? await hashing.verify(found.passwordHash, signIn.password)
    : await hashing.verifyNothing(signIn.password)
  if (!found || !isRight) throw new Problem('wrong_credentials')

  const started = await begin(deps, { ...signIn, userId: found.userId, checked: found.passwordHash, now: clock() })
  await delays.account.forget(signIn.email)
  if (signIn.device) await delays.device.forget(signIn.device)
  return started
}

/** A known device has its own allowance, so that others cannot lock its owner out. */
function allowancesOf(delays: Delays, { email, device, caller }: SignIn) {
  if (device) return [{ allowance: delays.device, key: device }]
  return [
    { allowance: delays.address, key: networkOf(caller.address) },
    { allowance: delays.account, key: email },
  ]
}

type Checked = SignIn & { userId: string; checked: string | null; now: Date }

function begin({ db, accounts, jobs, config, secrets }: Deps, signIn: Checked) {
  const { userId, checked, service, caller, now } = signIn
  return db.transaction(async (tx) => {
    // If the password changed since the comparison, the old one must not sign in.
    await lockUser(tx, userId)
    const current = await credentialOfUser(tx, userId)
    if (!current || current.passwordHash !== checked) throw new Problem('wrong_credentials')

    await setUserLocale(tx, userId, signIn.locale)
    const session = await startSession(tx, { ...signIn, accounts, jobs, lifetime: config })
    const ticket = service
      ? await issueTicket(tx, {
          secrets,
          session: { id: session.id, userId },
          service: service.asked,
          fromNewLogin: true,
          caller,
          now,
        })
      : undefined
    return { token: session.token, ticket }
  })
}
