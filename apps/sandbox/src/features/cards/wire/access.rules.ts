import { invalidRequest, type Refusal } from './refusal.ts'

/** A secret key may do everything; a publishable key only what a browser may, with an intent's client secret. */
export type Access = 'secret' | 'publishable'

interface Credentials {
  /** The header: `Bearer sk_test_…`, or Basic with the key as user name. */
  authorization: string | undefined
  /** The `key` parameter that browsers send. */
  parameter: string | undefined
  /** The request has an `Origin` header, so a browser sent it. */
  isPage: boolean
}

/**
 * Identifies the caller. Any test key is accepted: all are the same account. A secret key is accepted from servers only,
 * otherwise any page open on this machine could use it.
 * @throws Refusal 401
 */
export function accessOf({ authorization, parameter, isPage }: Credentials): Access {
  const header = keyOf(authorization)
  const key = header ?? parameter
  if (!key) {
    throw invalidRequest(
      'You did not provide an API key. Provide it in the Authorization header, as a Bearer token or as the user name of Basic.',
      { status: 401 },
    )
  }
  if (isSecret(parameter)) throw secretInBrowser()
  if (/^pk_test_\w+$/.test(key)) return 'publishable'
  if (!isSecret(key)) throw invalidRequest(`Invalid API Key provided: ${masked(key)}`, { status: 401 })
  if (isPage) throw secretInBrowser()
  return 'secret'
}

function isSecret(key = ''): boolean {
  return /^(sk|rk)_test_\w+$/.test(key)
}

function secretInBrowser(): Refusal {
  return invalidRequest(
    'Secret API keys must not be used in a browser, nor sent as a parameter. Use a publishable API key there.',
    { status: 401 },
  )
}

function keyOf(authorization = ''): string | undefined {
  const [, scheme = '', credentials = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization.trim()) ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  if (scheme.toLowerCase() === 'basic') return Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  return undefined
}

/** Masks the key in the message: it may be a mistyped real one. */
function masked(key: string): string {
  const shownEnd = key.length > 12 ? key.slice(-4) : ''
  return `${key.slice(0, 8)}${'*'.repeat(Math.min(20, Math.max(0, key.length - 12)))}${shownEnd}`
}
