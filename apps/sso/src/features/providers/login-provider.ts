import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { Email } from '../../wire.ts'

/** Who a person is at a provider. */
export interface ProviderIdentity {
  /**
   * Who vouches for the subject: the issuer, which is the tenant's at Microsoft, and in the education federation the issuer
   * and the institution. The same subject of another authority is another person.
   */
  authority: string
  /** The person's id at the authority, which never changes. */
  subject: string
  /** In its one form; null: the provider passes none on, or one that no account can have. */
  email: string | null
  /** Whether the provider vouches that the address is the person's now. */
  emailVerified: boolean
  firstName: string
  lastName: string
  /** Name of the institution of the education federation. */
  institution: string | null
}

/** What ties an answer of the provider to the sign-in that it belongs to. */
export interface Ties {
  /** Where the provider sends the browser back to. */
  redirectUri: string
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  codeVerifier: string
}

interface Request extends Ties {
  /** `de-de` */
  locale: string
}

interface Answer extends Ties {
  parameters: URLSearchParams
}

export interface LoginProvider {
  name: ProviderName
  /** The address at the provider where a sign-in begins. @throws Problem `provider_unreachable` */
  start(request: Request): Promise<string>
  /**
   * Redeems the answer of the provider, once.
   * @throws Problem `provider_canceled`; `provider_refused` for an error, or an answer that is not for this sign-in;
   * `provider_unreachable`
   */
  identify(answer: Answer): Promise<ProviderIdentity>
}

/** The address that a provider knows, unless it is one that our forms and the account page refuse: the person gives another then. */
export function usableEmail(known: string | undefined): string | null {
  return Email.safeParse(known).data ?? null
}
