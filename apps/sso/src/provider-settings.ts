import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { Address, isOnThisMachine, isPublic, isSet } from '@atrium/server-kit/config.ts'
import type { Fault } from '@atrium/server-kit/public-install.ts'
import { z } from 'zod'

const ClientId = (title: string) =>
  z.string().max(300).optional().describe(`Sign in with ${title}: the client id; not set: no button`)
const ClientSecret = (title: string) => z.string().max(1000).optional().describe(`${title}: the client secret`)
/** Tokens and secrets are sent there. */
const Secure = Address.refine(
  (url) => isPublic(url) || isOnThisMachine(url),
  'must be an https address, unless it is on this machine',
)
const Issuer = (title: string) =>
  Secure.describe(`${title}: the issuer, whose metadata are below it (OpenID Discovery)`)

/** The settings of the login providers (docs/sign-on.md). */
export const providerSettings = {
  GOOGLE_CLIENT_ID: ClientId('Google'),
  GOOGLE_CLIENT_SECRET: ClientSecret('Google'),
  GOOGLE_ISSUER: Secure.default('https://accounts.google.com').describe('Google: the issuer'),
  FACEBOOK_CLIENT_ID: ClientId('Facebook'),
  FACEBOOK_CLIENT_SECRET: ClientSecret('Facebook'),
  FACEBOOK_DIALOG_URL: Secure.default('https://www.facebook.com/v23.0/dialog/oauth').describe('Facebook: its dialog'),
  FACEBOOK_GRAPH_URL: Secure.default('https://graph.facebook.com/v23.0').describe('Facebook: its Graph API'),
  MICROSOFT_CLIENT_ID: ClientId('Microsoft'),
  MICROSOFT_CLIENT_SECRET: ClientSecret('Microsoft'),
  MICROSOFT_ISSUER: Secure.default('https://login.microsoftonline.com/common/v2.0').describe(
    'Microsoft: common for every account, organizations, consumers, or the id of one tenant',
  ),
  LINKEDIN_CLIENT_ID: ClientId('LinkedIn'),
  LINKEDIN_CLIENT_SECRET: ClientSecret('LinkedIn'),
  LINKEDIN_ISSUER: Secure.default('https://www.linkedin.com/oauth').describe('LinkedIn: the issuer'),
  EDUCATION_CLIENT_ID: ClientId('the education federation'),
  EDUCATION_CLIENT_SECRET: ClientSecret('Education federation'),
  EDUCATION_ISSUER: Issuer('Education federation').optional(),
  EDUCATION_INSTITUTION_CLAIM: z
    .string()
    .max(60)
    .default('idp')
    .describe('Education federation: the claim with the id of the institution'),
  LENOVO_CLIENT_ID: ClientId('Lenovo ID'),
  LENOVO_CLIENT_SECRET: ClientSecret('Lenovo ID'),
  LENOVO_ISSUER: Issuer('Lenovo ID').optional(),
}

type Settings = z.output<z.ZodObject<typeof providerSettings>>

interface Client {
  clientId: string
  clientSecret: string
}

/** A provider that customers can sign in with. */
export type ProviderSetup = Client &
  (
    | { name: Exclude<ProviderName, 'facebook' | 'education'>; issuer: string }
    | { name: 'education'; issuer: string; institutionClaim: string }
    | { name: 'facebook'; dialogUrl: string; graphUrl: string }
  )

/** The providers with a client id and secret, in the order of their buttons. */
export function providerSetups(given: Settings): ProviderSetup[] {
  const client = (clientId: string | undefined, clientSecret: string | undefined): Client | undefined =>
    clientId && clientSecret ? { clientId, clientSecret } : undefined
  const google = client(given.GOOGLE_CLIENT_ID, given.GOOGLE_CLIENT_SECRET)
  const microsoft = client(given.MICROSOFT_CLIENT_ID, given.MICROSOFT_CLIENT_SECRET)
  const facebook = client(given.FACEBOOK_CLIENT_ID, given.FACEBOOK_CLIENT_SECRET)
  const linkedin = client(given.LINKEDIN_CLIENT_ID, given.LINKEDIN_CLIENT_SECRET)
  const education = client(given.EDUCATION_CLIENT_ID, given.EDUCATION_CLIENT_SECRET)
  const lenovo = client(given.LENOVO_CLIENT_ID, given.LENOVO_CLIENT_SECRET)
  const {
    FACEBOOK_DIALOG_URL: dialogUrl,
    FACEBOOK_GRAPH_URL: graphUrl,
    EDUCATION_INSTITUTION_CLAIM: institutionClaim,
    EDUCATION_ISSUER: federation,
    LENOVO_ISSUER: lenovoIssuer,
  } = given

  return [
    ...(google ? [{ name: 'google' as const, issuer: given.GOOGLE_ISSUER, ...google }] : []),
    ...(microsoft ? [{ name: 'microsoft' as const, issuer: given.MICROSOFT_ISSUER, ...microsoft }] : []),
    ...(facebook ? [{ name: 'facebook' as const, dialogUrl, graphUrl, ...facebook }] : []),
    ...(linkedin ? [{ name: 'linkedin' as const, issuer: given.LINKEDIN_ISSUER, ...linkedin }] : []),
    ...(education && federation
      ? [{ name: 'education' as const, issuer: federation, institutionClaim, ...education }]
      : []),
    ...(lenovo && lenovoIssuer ? [{ name: 'lenovo' as const, issuer: lenovoIssuer, ...lenovo }] : []),
  ]
}

const partsOf = {
  GOOGLE: ['CLIENT_ID', 'CLIENT_SECRET'],
  FACEBOOK: ['CLIENT_ID', 'CLIENT_SECRET'],
  MICROSOFT: ['CLIENT_ID', 'CLIENT_SECRET'],
  LINKEDIN: ['CLIENT_ID', 'CLIENT_SECRET'],
  EDUCATION: ['CLIENT_ID', 'CLIENT_SECRET', 'ISSUER'],
  LENOVO: ['CLIENT_ID', 'CLIENT_SECRET', 'ISSUER'],
} as const

/** A provider that is set up in part is a mistake, not a provider without a button. */
export function providerFaults(env: NodeJS.ProcessEnv): Fault[] {
  return Object.entries(partsOf).flatMap(([provider, parts]) => {
    const names = parts.map((part) => `${provider}_${part}`)
    const set = names.filter((name) => isSet(env, name))
    if (set.length === 0) return []
    return names
      .filter((name) => !isSet(env, name))
      .map((name): Fault => [name, `is not set, but is needed with ${set[0]}`])
  })
}
