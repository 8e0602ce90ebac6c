import { invalidRequest } from './refusal.ts'

/** A secret key may do everything; a publishable one only what a browser may, with an intent's client secret. */
export type Access = 'secret' | 'publishable'

/**
 * Who is calling, by `Authorization: Bearer sk_test_…`, Basic with the key as the name, or the `key` that browsers send.
 * Any test key is taken: all of them are one account.
 * @throws Refusal 401
 */
export function accessOf(authorization: string | undefined, browserKey: string | undefined): Access {
  const key = keyOf(authorization) ?? browserKey
  if (!key) {
    throw invalidRequest(
      'You did not provide an API key. Provide it in the Authorization header, as a Bearer token or as the user name of Basic.',
      { status: 401 },
    )
  }
  if (/^(sk|rk)_test_\w+$/.test(key)) return 'secret'
  if (/^pk_test_\w+$/.test(key)) return 'publishable'
  throw invalidRequest(`Invalid API Key provided: ${masked(key)}`, { status: 401 })
}

function keyOf(authorization = ''): string | undefined {
  const [, scheme = '', credentials = ''] = /^(bearer|basic)\s+(\S+)$/i.exec(authorization.trim()) ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  if (scheme.toLowerCase() === 'basic') return Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  return undefined
}

/** A key that was mistyped may be a real one. */
function masked(key: string): string {
  const shownEnd = key.length > 12 ? key.slice(-4) : ''
  return `${key.slice(0, 8)}${'*'.repeat(Math.min(20, Math.max(0, key.length - 12)))}${shownEnd}`
}
