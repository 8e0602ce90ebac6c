import type { AccountConfig } from '../../config.ts'

interface Cookie {
  name: string
  options: { path: '/'; httpOnly: boolean; sameSite: 'lax'; secure: boolean; maxAge?: number }
}

/** With https the browser protects the name: no subdomain can set a `__Host-` cookie. */
function cookie(config: Pick<AccountConfig, 'PUBLIC_URL'>, name: string, maxAge?: number): Cookie {
  const secure = config.PUBLIC_URL.startsWith('https:')
  return {
    name: secure ? `__Host-${name}` : name,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure, ...(maxAge && { maxAge }) },
  }
}

/** The session's token. Ends with the browser at the latest; the server ends it sooner. */
export function sessionCookie(config: AccountConfig): Cookie {
  return cookie(config, 'atrium_session')
}

/** Ties a sign-in to the browser that began it, for ten minutes. */
export function nonceCookie(config: AccountConfig): Cookie {
  return cookie(config, 'atrium_sign_in', 600)
}

/** The token of a support agent, first of their sign-in, then of their support session. */
export function supportCookie(config: AccountConfig): Cookie {
  return cookie(config, 'atrium_support')
}

/** The nonce of a support agent's sign-in, beside a member's in the same browser. */
export function supportNonceCookie(config: AccountConfig): Cookie {
  return cookie(config, 'atrium_support_sign_in', 600)
}

/** A notice for the next page, shown once; as long as a sign-in may take. */
export function noticeCookie(config: AccountConfig): Cookie {
  return cookie(config, 'atrium_notice', 600)
}
