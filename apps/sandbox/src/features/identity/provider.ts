import type { JWK } from 'jose'
import Provider, { interactionPolicy } from 'oidc-provider'
import { type CompanyName, companies } from './companies.ts'
import { MemoryAdapter } from './memory-adapter.ts'
import { misbehaving } from './misbehaving.ts'
import { People } from './people.ts'

interface Options {
  company: CompanyName
  /** Its address: `http://localhost:3002/identity/google`. */
  address: string
  /** The single sign-on host, which is the only client. */
  ssoUrl: string
  /** The private key of its tokens. */
  key: SigningKey
}

export type SigningKey = JWK & { kid: string }
export type StandIn = ReturnType<typeof standIn>

/** A login provider on `oidc-provider`, with its own ways (`companies.ts`). Every sign-in asks who the person is. */
export function standIn({ company, address, ssoUrl, key }: Options) {
  const people = new People(company)
  const { routes } = companies[company]
  const path = new URL(address).pathname
  const provider = new Provider(address, {
    adapter: MemoryAdapter,
    clients: [
      {
        client_id: `folio-${company}`,
        client_secret: `sandbox-${company}-secret`,
        redirect_uris: [`${ssoUrl}/callback/${company}`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [key] },
    cookies: {
      keys: [key.kid],
      // Cookies ignore ports: each stand-in has names of its own.
      names: {
        session: `sandbox_${company}_session`,
        interaction: `sandbox_${company}_interaction`,
        resume: `sandbox_${company}_resume`,
      },
    },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: false } },
    scopes: ['openid', 'profile', 'email', 'public_profile'],
    claims: {
      openid: ['sub', 'tid', 'hd', 'idp', 'idp_name'],
      profile: ['name', 'given_name', 'family_name'],
      email: ['email', 'email_verified'],
    },
    // These providers write the claims into the ID token.
    conformIdTokenClaims: false,
    pkce: { required: () => true },
    ...(routes && { routes }),
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    interactions: {
      policy: [askEachTime()],
      url: (_context, { uid }) => `${path}/sign-in/${uid}`,
    },
    findAccount(_context, subject) {
      const person = people.find(subject)
      return person && { accountId: subject, claims: () => people.claims(person) }
    },
  })
  const mixedUp = new Set<string>()
  provider.use(misbehaving({ company, address, key, people, mixedUp }))
  return { provider, people, mixedUp }
}

/** Who is signing in is asked each time, even if the browser was here a moment ago. */
function askEachTime() {
  const { Prompt, Check } = interactionPolicy
  return new Prompt(
    { name: 'login', requestable: true },
    new Check('who', 'Who is signing in?', ({ oidc }) => oidc.result?.login === undefined),
  )
}
