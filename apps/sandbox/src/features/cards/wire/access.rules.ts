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

/** Who calls, with which key. */
export interface Caller {
  access: Access
  key: string
}

/**
 * Identifies the caller by the form of the key; whether a secret key was issued is looked up afterwards. A secret key is
 * accepted from servers only, otherwise any page open on this machine could use it.
 * @throws Refusal 401
 */
export function callerOf({ authorization, parameter, isPage }: Credentials): Caller {
  const header = keyOf(authorization)
  const key = header ?? parameter
  if (!key) {
    throw invalidRequest(
      'You did not provide an API key. Provide it in the Authorization header, as a Bearer token or as the user name of Basic.',
      { status: 401 },
    )
  }
  if (isSecret(parameter)) throw secretInBrowser()
  if (/^pk_test_\w+$/.test(key)) return { access: 'publishable', key }
  if (!isSecret(key)) throw invalidRequest(`Invalid API Key provided: ${masked(key)}`, { status: 401 })
  if (isPage) throw secretInBrowser()
  return { access: 'secret', key }
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
export function masked(key: string): string {
  const shownEnd = key.length > 12 ? key.slice(-4) : ''
  return `${key.slice(0, 8)}${'*'.repeat(Math.min(20, Math.max(0, key.length - 12)))}${shownEnd}`
}

/** `customers:read`, `subscriptions:write`, `*:read`; to write is to read too. */
export type Right = `${string}:${'read' | 'write'}`

/** Whether rights allow a call. @param path below `/v1` */
export function isAllowed(rights: readonly Right[], method: string, path: string): boolean {
  const [, resource = ''] = path.split('/')
  const wanted = method === 'GET' ? ['read', 'write'] : ['write']
  return wanted.some((verb) => rights.some((right) => right === `${resource}:${verb}` || right === `*:${verb}`))
}

/** @throws Refusal 400 for a version that never existed */
export function refuseUnknownVersion(version: string | string[] | undefined): void {
  if (version === undefined) return
  const [, date = ''] = /^(\d{4}-\d{2}-\d{2})(\.[a-z]+)?$/.exec(String(version)) ?? []
  if (date !== '' && !Number.isNaN(Date.parse(date))) return
  throw invalidRequest(`Invalid Stripe API version: ${String(version).slice(0, 100)}`)
}

/** @param own the id of the account that the keys belong to; @throws Refusal 403 for another account */
export function refuseForeignAccount(account: string | string[] | undefined, own: string, key: string): void {
  if (account === undefined || account === own) return
  throw invalidRequest(
    `The provided key '${masked(key)}' does not have access to account '${String(account).slice(0, 100)}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid', status: 403 },
  )
}
