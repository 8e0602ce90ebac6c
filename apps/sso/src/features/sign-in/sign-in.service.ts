import type { Deps } from '../../deps.ts'
import { withPassword } from './password-check.writes.ts'
import { type SigningBrowser, type Started, startSignedIn } from './session-start.writes.ts'

interface SignIn extends SigningBrowser {
  email: string
  password: string
  locale: string
  /** A registered one, exactly as requested. */
  service: string | null
  /** Id of this browser, if the account knows it. */
  device: string | undefined
}

/** Checks the password, starts a session and, for a service, issues a ticket. @throws Problem `wrong_credentials`, `too_often` */
export function signInWithPassword(deps: Deps, signIn: SignIn): Promise<Started> {
  return withPassword(deps, signIn, (tx, userId) => startSignedIn(deps, tx, { ...signIn, userId }))
}
