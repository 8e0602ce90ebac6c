import { decodeJwt, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose'
import type Provider from 'oidc-provider'
import { z } from 'zod'
import { type CompanyName, companies } from './companies.ts'
import type { People, Person } from './people.ts'

interface Options {
  company: CompanyName
  address: string
  key: JWK & { kid: string }
  people: People
  /** Sign-ins whose answer names another provider. */
  mixedUp: ReadonlySet<string>
}

type Middleware = Parameters<Provider['use']>[0]
type Context = Parameters<Middleware>[0]

const TokenReply = z.looseObject({ id_token: z.string() })
const Metadata = z.looseObject({ issuer: z.string() })

/** What a provider does beside or against the protocol: an issuer for each tenant, and the faults of `people.ts`. */
export function misbehaving(options: Options): Middleware {
  return async (context, next) => {
    await next()
    const token = TokenReply.safeParse(context.body)
    if (token.success) context.body = { ...token.data, id_token: await changeToken(token.data.id_token, options) }
    const metadata = Metadata.safeParse(context.body)
    if (metadata.success) context.body = changeMetadata(metadata.data, options)
    changeAnswer(context, options)
  }
}

/** The issuer of a tenant's tokens; the metadata of all tenants have a placeholder for it. */
const tenantIssuer = (address: string, tenant: string) => `${address}/${tenant}/v2.0`

async function changeToken(idToken: string, { company, address, key, people }: Options): Promise<string> {
  const claims = decodeJwt<{ tid?: string }>(idToken)
  const fault = people.find(claims.sub ?? '')?.fault ?? 'none'
  const payload: JWTPayload = {
    ...claims,
    ...(company === 'microsoft' && { iss: tenantIssuer(address, claims.tid ?? '') }),
    ...wrongClaims(fault),
  }
  // LinkedIn's tokens have no nonce.
  if (company === 'linkedin') delete payload.nonce
  const signingKey = fault === 'signature' ? (await generateKeyPair('RS256')).privateKey : await importJWK(key, 'RS256')
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' }).sign(signingKey)
}

function wrongClaims(fault: Person['fault']): JWTPayload {
  if (fault === 'audience') return { aud: 'another-application' }
  if (fault === 'expired') return { exp: Math.floor(Date.now() / 1000) - 3600 }
  return fault === 'nonce' ? { nonce: 'of-another-sign-in' } : {}
}

function changeMetadata(metadata: z.infer<typeof Metadata>, { company, address }: Options) {
  return {
    ...metadata,
    ...(company === 'microsoft' && { issuer: tenantIssuer(address, '{tenantid}') }),
    authorization_response_iss_parameter_supported: companies[company].sendsIssuer,
  }
}

/** The authorization response: its `iss` (RFC 9207) is left out, or wrong. */
function changeAnswer(context: Context, { company, mixedUp }: Options): void {
  const location = context.response.get('location')
  if (!URL.canParse(location)) return
  const answer = new URL(location)
  if (!answer.searchParams.has('state')) return

  if (!companies[company].sendsIssuer) answer.searchParams.delete('iss')
  if (mixedUp.has(context.path.split('/').at(-1) ?? '')) answer.searchParams.set('iss', 'https://other.provider.test')
  context.set('location', answer.href)
}
