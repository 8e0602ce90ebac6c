import { createHmac } from 'node:crypto'
import { profileLimits } from '@atrium/contract/profile.ts'
import { plainLine } from '@atrium/contract/text.ts'
import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import type { ProviderSetup } from '../../provider-settings.ts'
import { type LoginProvider, type ProviderIdentity, usableEmail } from './login-provider.ts'
import { requestOptions } from './openid-metadata.ts'
import { orProviderProblem, ProviderAway } from './provider-failure.ts'

export type FacebookSetup = Extract<ProviderSetup, { name: 'facebook' }>

const Person = z.object({
  id: z.string().min(1).max(255),
  first_name: z.string().default(''),
  last_name: z.string().default(''),
  email: z.string().optional(),
})

/** Facebook: plain OAuth 2 with PKCE and state. The person is read from `/me`, with the fields that we name. */
export function facebookProvider(setup: FacebookSetup): LoginProvider {
  const client = { client_id: setup.clientId }
  const server: oauth.AuthorizationServer = {
    issuer: new URL(setup.dialogUrl).origin,
    authorization_endpoint: setup.dialogUrl,
    token_endpoint: `${setup.graphUrl}/oauth/access_token`,
  }
  const options = requestOptions(setup.graphUrl)

  return {
    name: 'facebook',
    async start({ redirectUri, state, codeVerifier, locale }) {
      const url = new URL(setup.dialogUrl)
      const parameters = {
        client_id: setup.clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope: 'public_profile email',
        state,
        code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        locale: facebookLocale(locale),
      }
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
      return url.href
    },
    identify: ({ parameters, state, redirectUri, codeVerifier }) =>
      orProviderProblem(async () => {
        const valid = oauth.validateAuthResponse(server, client, parameters, state)
        const authentication = oauth.ClientSecretPost(setup.clientSecret)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authentication,
          valid,
          redirectUri,
          codeVerifier,
          options,
        )
        if (response.status >= 500) throw new ProviderAway(response.status)
        const { access_token: accessToken } = await oauth.processAuthorizationCodeResponse(server, client, response)
        return identityOf(server.issuer, await readPerson(setup, accessToken))
      }),
  }
}

async function readPerson({ graphUrl, clientSecret }: FacebookSetup, accessToken: string) {
  const url = new URL(`${graphUrl}/me`)
  url.searchParams.set('fields', 'id,first_name,last_name,email')
  // Proves that the token is used by whom it was issued to, which Facebook can require.
  url.searchParams.set('appsecret_proof', createHmac('sha256', clientSecret).update(accessToken).digest('hex'))
  const response = await oauth.protectedResourceRequest(
    accessToken,
    'GET',
    url,
    undefined,
    undefined,
    requestOptions(graphUrl),
  )
  if (response.status >= 500) throw new ProviderAway(response.status)
  return Person.parse(await response.json())
}

/** Facebook does not say whether an address is confirmed, so it counts as unconfirmed. */
function identityOf(authority: string, person: z.infer<typeof Person>): ProviderIdentity {
  return {
    authority,
    subject: person.id,
    email: usableEmail(person.email),
    emailVerified: false,
    firstName: plainLine(person.first_name, profileLimits.name),
    lastName: plainLine(person.last_name, profileLimits.name),
    institution: null,
  }
}

/** `de-de` as `de_DE`. */
function facebookLocale(locale: string): string {
  const [language = 'en', region = 'us'] = locale.split('-')
  return `${language}_${region.toUpperCase()}`
}
