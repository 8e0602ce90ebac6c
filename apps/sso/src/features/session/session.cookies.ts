import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashOf, newToken, type Secrets } from '../../secrets.ts'

const isSecure = (publicUrl: string) => publicUrl.startsWith('https:')

/** Cookies ignore ports: names say whose they are. Under https the prefix keeps neighbors from setting them. */
function cookieName(publicUrl: string, name: 'session' | 'device'): string {
  return `${isSecure(publicUrl) ? '__Host-' : ''}sso_${name}`
}

function attributes(publicUrl: string): CookieSerializeOptions {
  return { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(publicUrl) }
}

export function sessionCookie(request: FastifyRequest, publicUrl: string): string | undefined {
  return request.cookies[cookieName(publicUrl, 'session')]
}

/** Ends with the browser; the server ends it earlier. */
export function setSessionCookie(reply: FastifyReply, publicUrl: string, token: string): void {
  reply.setCookie(cookieName(publicUrl, 'session'), token, attributes(publicUrl))
}

export function clearSessionCookie(reply: FastifyReply, publicUrl: string): void {
  reply.clearCookie(cookieName(publicUrl, 'session'), attributes(publicUrl))
}

const deviceSeconds = 31_536_000

/**
 * Marks the browser as one from which the account was signed in to: somebody else's wrong passwords then do not keep
 * its owner waiting. Signed, and of no other use.
 */
export function setDeviceCookie(reply: FastifyReply, publicUrl: string, secrets: Secrets, email: string): void {
  const device = `${hashOf(email)}.${newToken()}`
  reply.setCookie(cookieName(publicUrl, 'device'), `${device}.${secrets.sign('device', device)}`, {
    ...attributes(publicUrl),
    maxAge: deviceSeconds,
  })
}

/** The device's own id, when this browser is known to the account. */
export function knownDevice(
  request: FastifyRequest,
  { publicUrl, secrets, email }: { publicUrl: string; secrets: Secrets; email: string },
): string | undefined {
  const [owner, id, signature] = request.cookies[cookieName(publicUrl, 'device')]?.split('.') ?? []
  if (!owner || !id || !signature || owner !== hashOf(email)) return undefined
  return secrets.isSignedBy('device', `${owner}.${id}`, signature) ? id : undefined
}
