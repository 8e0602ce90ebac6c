import { emailForm } from '@atrium/contract/email.ts'
import { profileLimits } from '@atrium/contract/profile.ts'
import { plainLine } from '@atrium/contract/text.ts'
import { decodeJwt } from 'jose'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderSetup } from '../../provider-settings.ts'
import { type LoginProvider, type ProviderIdentity, type Ties, usableEmail } from './login-provider.ts'
import { anyTenant, type Metadata, metadataReader, requestOptions } from './openid-metadata.ts'
import { orProviderProblem, ProviderAway } from './provider-failure.ts'

export type OpenidSetup = Exclude<ProviderSetup, { name: 'facebook' }>

/** LinkedIn's tokens have no nonce; PKCE and state tie its answers to the sign-in. */
const hasNonce = (name: OpenidSetup['name']) => name !== 'linkedin'

const Claims = z.looseObject({
  iss: z.string().min(1),
  sub: z.string().min(1).max(255),
  email: z.string().optional(),
  // LinkedIn has written it as text.
  email_verified: z.boolean().optional().catch(undefined),
  given_name: z.string().optional().catch(undefined),
  family_name: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  idp_name: z.string().optional().catch(undefined),
  hd: z.string().min(1).optional().catch(undefined),
})

/** A provider that speaks OpenID Connect: code flow with PKCE, state and nonce. */
export function openidProvider(setup: OpenidSetup): LoginProvider {
  const metadata = metadataReader(setup.issuer)
  return {
    name: setup.name,
    start: (request) =>
      orProviderProblem(async () => {
        const { authorization_endpoint: endpoint } = await metadata()
        const url = new URL(endpoint)
        const parameters = {
          client_id: setup.clientId,
          response_type: 'code',
          redirect_uri: request.redirectUri,
          scope: 'openid profile email',
          state: request.state,
          code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
          code_challenge_method: 'S256',
          ui_locales: request.locale,
          ...(hasNonce(setup.name) && { nonce: request.nonce }),
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),
    identify: ({ parameters, ...ties }) =>
      orProviderProblem(async () => {
        const claims = await redeem(setup, await metadata(), { parameters, ties })
        return identityOf(setup, Claims.parse(claims))
      }),
  }
}

interface Redemption {
  parameters: URLSearchParams
  ties: Ties
}

async function redeem(setup: OpenidSetup, metadata: Metadata, { parameters, ties }: Redemption) {
  const client = { client_id: setup.clientId }
  const common = serverOf(metadata)
  // State, and who answers (RFC 9207).
  const valid = oauth.validateAuthResponse(common, client, parameters, ties.state)
  const options = requestOptions(setup.issuer)
  const response = await oauth.authorizationCodeGrantRequest(
    common,
    client,
    authentication(setup, metadata),
    valid,
    ties.redirectUri,
    ties.codeVerifier,
    options,
  )
  if (response.status >= 500) throw new ProviderAway(response.status)

  const server = await tenantServer(common, response.clone())
  // Issuer, audience, times and nonce.
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    requireIdToken: true,
    ...(hasNonce(setup.name) && { expectedNonce: ties.nonce }),
  })
  await oauth.validateApplicationLevelSignature(server, response, options)
  return oauth.getValidatedIdTokenClaims(tokens)
}

function serverOf(metadata: Metadata): oauth.AuthorizationServer {
  const { issuer, authorization_endpoint, token_endpoint, jwks_uri, authorization_response_iss_parameter_supported } =
    metadata
  return {
    issuer,
    authorization_endpoint,
    token_endpoint,
    jwks_uri,
    ...(authorization_response_iss_parameter_supported && { authorization_response_iss_parameter_supported }),
  }
}

const TokenReply = z.object({ id_token: z.string() })

/** With several tenants, the issuer of a token must be that of the tenant that it names. */
async function tenantServer(common: oauth.AuthorizationServer, reply: Response): Promise<oauth.AuthorizationServer> {
  if (!common.issuer.includes(anyTenant)) return common
  const { data } = TokenReply.safeParse(await reply.json())
  const { tid } = data ? decodeJwt(data.id_token) : {}
  const tenant = z.guid().parse(tid)
  return { ...common, issuer: common.issuer.replace(anyTenant, tenant) }
}

function authentication({ clientSecret }: OpenidSetup, metadata: Metadata): oauth.ClientAuth {
  // Without a list, it is `client_secret_basic` (OpenID Discovery §3).
  const takesPost = metadata.token_endpoint_auth_methods_supported?.includes('client_secret_post')
  return takesPost ? oauth.ClientSecretPost(clientSecret) : oauth.ClientSecretBasic(clientSecret)
}

function identityOf(setup: OpenidSetup, claims: z.infer<typeof Claims>): ProviderIdentity {
  const email = usableEmail(claims.email)
  const institution = setup.name === 'education' ? institutionOf(setup.institutionClaim, claims) : undefined
  const [first = '', ...rest] = (claims.name ?? '').split(' ')
  return {
    authority: institution ? `${claims.iss} ${institution.id}` : claims.iss,
    subject: claims.sub,
    email,
    emailVerified: email !== null && vouchesForEmail(setup, claims),
    firstName: plainLine(claims.given_name ?? first, profileLimits.name),
    lastName: plainLine(claims.family_name ?? rest.join(' '), profileLimits.name),
    institution: institution?.name ?? null,
  }
}

/**
 * A provider has confirmed the address of a mailbox elsewhere once, and somebody else may have it now. Google vouches for its own
 * mailboxes and those of the organizations that it hosts (`hd`). LinkedIn and Lenovo host none; Microsoft's tenants and the institutions
 * of a federation write what they like.
 */
function vouchesForEmail({ name }: OpenidSetup, { email = '', email_verified, hd }: z.infer<typeof Claims>): boolean {
  const isHosted = hd !== undefined || emailForm(email).endsWith('@gmail.com')
  return name === 'google' && email_verified === true && isHosted
}

/** Without its institution, a person of a federation is nobody. */
function institutionOf(claim: string, claims: z.infer<typeof Claims>) {
  const id = z.string().min(1).max(500).regex(/^\S+$/).parse(claims[claim])
  return { id, name: plainLine(claims.idp_name ?? id, 200) }
}
