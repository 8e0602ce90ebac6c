import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { newToken } from '../../secrets.ts'
import type { Browser } from './session.queries.ts'

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

/** Cookies ignore ports, so their names tell programs apart. Under https the prefix prevents other hosts from setting them. */
export function cookieName(publicUrl: string, name: 'session' | 'device' | 'browser'): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}sso_${name}`
}

export function attributes(publicUrl: string): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(publicUrl) }
}

export function sessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  return request.cookies[cookieName(publicUrl, 'session')]
}

/** Cookies of a browser that has signed in, for as long as it runs; the server's session ends earlier. */
export function setSessionCookies(
  reply: FastifyReply,
  publicUrl: string,
  { token, browserId: id }: { token: string; browserId: string },
): void {
  reply.setCookie(cookieName(publicUrl, 'session'), token, attributes(publicUrl))
  reply.setCookie(cookieName(publicUrl, 'browser'), id, attributes(publicUrl))
}

/** Of whoever uses the browser next nothing is known: neither a session, nor what was begun at a provider. */
export function forgetBrowser(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(cookieName(publicUrl, 'session'), attributes(publicUrl))
  // Forms that are open in its tabs may be sent without another visit.
  reply.setCookie(cookieName(publicUrl, 'browser'), newToken(), attributes(publicUrl))
}

function knownBrowserId({ cookies }: FastifyRequest, publicUrl: string): string | undefined {
  const known = cookies[cookieName(publicUrl, 'browser')]
  return known && /^[\w-]{43}$/.test(known) ? known : undefined
}

/**
 * The id of this browser: what it signs in to belongs together, and a provider's answer is of use only in the browser that began. Set for as
 * long as the browser runs, and shared by its tabs. A sign-in of another person and a sign-out change it.
 */
export function browserId(request: FastifyRequest, reply: FastifyReply, publicUrl: string): string {
  const known = knownBrowserId(request, publicUrl)
  if (known) return known
  const fresh = newToken()
  reply.setCookie(cookieName(publicUrl, 'browser'), fresh, attributes(publicUrl))
  return fresh
}

export function browserOf(request: FastifyRequest, publicUrl: string): Browser {
  return { token: sessionCookie(request, publicUrl), id: knownBrowserId(request, publicUrl) }
}
