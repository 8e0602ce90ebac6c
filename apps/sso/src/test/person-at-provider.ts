import type { ProviderName } from '@atrium/contract/login-providers.ts'

/** The settings of the six providers, at the sandbox. */
export function providersAt(sandbox: string): Record<string, string> {
  const at = (name: ProviderName) => `${sandbox}/identity/${name}`
  const client = (name: ProviderName) => ({
    [`${name.toUpperCase()}_CLIENT_ID`]: `folio-${name}`,
    [`${name.toUpperCase()}_CLIENT_SECRET`]: `sandbox-${name}-secret`,
  })
  return {
    ...client('google'),
    ...client('microsoft'),
    ...client('facebook'),
    ...client('linkedin'),
    ...client('education'),
    ...client('lenovo'),
    GOOGLE_ISSUER: at('google'),
    MICROSOFT_ISSUER: `${at('microsoft')}/common/v2.0`,
    FACEBOOK_DIALOG_URL: `${at('facebook')}/dialog/oauth`,
    FACEBOOK_GRAPH_URL: at('facebook'),
    LINKEDIN_ISSUER: at('linkedin'),
    EDUCATION_ISSUER: at('education'),
    LENOVO_ISSUER: at('lenovo'),
  }
}

export interface Person {
  email: string
  firstName?: string
  lastName?: string
  sharing?: 'confirmed' | 'external' | 'unconfirmed' | 'none'
  account?: string
  realm?: string
  fault?: 'audience' | 'expired' | 'nonce' | 'signature' | 'issuer'
}

/**
 * Signs in at the stand-in as a browser does, following its redirects and carrying its cookies.
 * @returns the query with which it sends the browser back
 */
export async function answerAt(
  redirectUrl: string,
  person: Person,
  answer: 'allow' | 'cancel' | 'fail' = 'allow',
): Promise<string> {
  const cookies = new Map<string, string>()

  async function visit(address: string, body?: URLSearchParams): Promise<string> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(body && { method: 'POST', body }),
    })
    for (const set of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const text = await reply.text()
    const location = reply.headers.get('location')
    if (!location) throw new Error(`${address} answered ${reply.status}: ${text.slice(0, 300)}`)
    return new URL(location, address).href
  }

  const page = await visit(redirectUrl)
  let address = await visit(page, new URLSearchParams({ ...person, answer }))
  while (!address.includes('/callback/')) address = await visit(address)
  return new URL(address).search
}
