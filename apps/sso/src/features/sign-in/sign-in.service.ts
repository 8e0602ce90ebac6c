import type { Deps } from '../../deps.ts'
import type { ServiceUrl } from '../cas/service-url.rules.ts'
import { withPassword } from './password-check.writes.ts'
import { type SigningBrowser, type Started, startSignedIn } from './session-start.writes.ts'

interface SignIn extends SigningBrowser {
  email: string
  password: string
  locale: string
  service: ServiceUrl | undefined
  /** Id of this browser, if the account knows it. */
  device: string | undefined
}

/** Checks the password, starts a session and, for a service, issues a ticket. @throws Problem `wrong_credentials`, `too_often` */
export function signInWithPassword(deps: Deps, signIn: SignIn): Promise<Started> {
  const service = signIn.service?.asked ?? null
  return withPassword(deps, signIn, (tx, userId) => startSignedIn(deps, tx, { ...signIn, service, userId }))
}
