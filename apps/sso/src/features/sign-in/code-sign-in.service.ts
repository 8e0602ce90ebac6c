import type { Visitor } from '@atrium/server-kit/caller.ts'
import type { Db } from '@atrium/server-kit/database.ts'
import { networkOf } from '@atrium/server-kit/network.ts'
import { Problem } from '@atrium/server-kit/problem.ts'
import type { Deps } from '../../deps.ts'
import { credentialOfUser, lockUser } from '../accounts/accounts.queries.ts'
import { hasUsableCode, judgeCode, sendCode } from '../popups/email-codes.writes.ts'
import { sessionOf } from '../session/session.queries.ts'
import { type SigningBrowser, type Started, startSignedIn } from './session-start.writes.ts'

const purpose = 'sign-in'

interface Person {
  userId: string
  email: string
}

/** Who is signed in and has no password, so that only a code by email can prove that they are still there; undefined: nobody. */
export async function personWithoutPassword(db: Db, person: Person | undefined, now: Date) {
  const user = person && (await credentialOfUser(db, person.userId))
  if (!user || user.passwordHash) return undefined
  return { email: user.email, isCodeSent: await hasUsableCode(db, { userId: user.userId, purpose, now }) }
}

interface Sending {
  /** The token of the browser's session. */
  session: string | undefined
  caller: Visitor
}

/** Sends a code to who is signed in. @throws Problem `signed_out`, `has_password`, `too_often` */
export async function sendSignInCode(deps: Deps, { session, caller }: Sending): Promise<void> {
  await deps.delays.address.take(networkOf(caller.address))
  const { userId } = await signedIn(deps, session)
  await sendCode(deps, { userId, purpose, caller })
}

interface CodeSignIn extends SigningBrowser {
  code: string
  /** A registered service, exactly as requested. */
  service: string | null
}

/**
 * Signs in who is signed in once more, with the emailed code: a new login for services that insist on one.
 * @throws Problem `signed_out`, `has_password`, `wrong_code`, `code_spent`
 */
export async function signInWithCode(deps: Deps, { code, ...signing }: CodeSignIn): Promise<Started & Person> {
  const { userId, email } = await signedIn(deps, signing.browser.token)
  await judgeCode(deps, { userId, purpose, code, caller: signing.caller })
  return deps.db.transaction(async (tx) => {
    await lockUser(tx, userId)
    const user = await credentialOfUser(tx, userId)
    if (!user) throw new Problem('signed_out')
    // A password that was set meanwhile is what proves the person now.
    if (user.passwordHash) throw new Problem('has_password')
    const started = await startSignedIn(deps, tx, { ...signing, userId, locale: user.locale })
    return { ...started, userId, email }
  })
}

/** @throws Problem `signed_out` */
async function signedIn({ db, clock }: Deps, session: string | undefined): Promise<Person> {
  const found = await sessionOf(db, session, clock())
  if (!found) throw new Problem('signed_out')
  return found
}
