import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { ProviderAway } from './provider-failure.ts'

/** Milliseconds until metadata are read again. */
const lifeMs = 3_600_000

const timeoutMs = 10_000

const Metadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  jwks_uri: z.url(),
  authorization_response_iss_parameter_supported: z.boolean().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
})
export type Metadata = z.infer<typeof Metadata>

/** Microsoft's metadata of several tenants have this instead of a tenant. */
export const anyTenant = '{tenantid}'

/** The tenant of Microsoft's personal accounts. */
const personalTenant = '9188040d-6c67-4c5b-b112-36a304b66dad'

/** Options of every request to a provider. Plain http is for one on this machine: settings refuse it elsewhere. */
export function requestOptions(address: string) {
  return {
    signal: () => AbortSignal.timeout(timeoutMs),
    [oauth.allowInsecureRequests]: address.startsWith('http:'),
  }
}

/** Reads the metadata of an issuer (OpenID Discovery), and stores them for an hour. */
export function metadataReader(issuer: string): () => Promise<Metadata> {
  let stored: { metadata: Metadata; until: number } | undefined
  return async () => {
    if (stored && stored.until > Date.now()) return stored.metadata
    const metadata = await fetchMetadata(issuer)
    stored = { metadata, until: Date.now() + lifeMs }
    return metadata
  }
}

async function fetchMetadata(issuer: string): Promise<Metadata> {
  const response = await oauth.discoveryRequest(new URL(issuer), requestOptions(issuer))
  if (!response.ok) {
    await response.body?.cancel()
    throw new ProviderAway(response.status)
  }
  const metadata = Metadata.parse(await response.json())
  if (!isIssuerOf(metadata.issuer, issuer)) throw new Error(`the metadata of ${issuer} are those of ${metadata.issuer}`)
  // The browser is sent there; the library checks the others.
  if (new URL(metadata.authorization_endpoint).protocol !== new URL(issuer).protocol) {
    throw new Error(`the authorization endpoint of ${issuer} has another protocol`)
  }
  return metadata
}

/** Microsoft's `common` and `organizations` stand for any tenant, and `consumers` for the one of all personal accounts. */
function isIssuerOf(named: string, issuer: string): boolean {
  const bare = named.replace(/\/+$/, '')
  return [
    issuer,
    issuer.replace(/\/(common|organizations)\//, `/${anyTenant}/`),
    issuer.replace('/consumers/', `/${personalTenant}/`),
  ].includes(bare)
}
