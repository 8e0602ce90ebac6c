import type { SsoConfig } from '../../config.ts'

const longest = 2000

/** A registered service's address, or `undefined` if it is not registered or invalid. */
export interface ServiceUrl {
  /** Exactly as requested, since tickets are compared with it. */
  asked: string
  url: URL
  /** Where a program on the person's own machine listens (`127.0.0.1:53123`), which our pages name; null: a registered service. */
  program: string | null
}

/**
 * Whether tickets may be sent to an address: it must have the origin of a registered one, and be at or below its path.
 * Addresses are compared as a browser parses them, so `https://good@evil`, `\` and `..` do not help an attacker.
 */
export function registeredService(
  asked: string | undefined | null,
  registered: readonly string[],
): ServiceUrl | undefined {
  if (!asked || asked.length > longest || hasUnprintable(asked) || !URL.canParse(asked)) return undefined
  const url = new URL(asked)
  // Also a bare `#`, which `hash` does not show: a ticket after it would never reach the service.
  if (url.username !== '' || url.password !== '' || asked.includes('#')) return undefined
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return undefined

  return registered.some((entry) => isAtOrBelow(url, new URL(entry))) ? { asked, url, program: null } : undefined
}

/**
 * Whether tickets may be sent to an address: a registered one or, if desktop products may sign in, one on the customer's
 * own machine (RFC 8252 §7.3). Nothing is ever posted to the latter, and a
 * page names it before it gets a ticket (§8.6).
 */
export function ticketService(
  asked: string | undefined | null,
  {
    SSO_SERVICES: services,
    SSO_LOOPBACK_SERVICES: loopbackServices,
  }: Pick<SsoConfig, 'SSO_SERVICES' | 'SSO_LOOPBACK_SERVICES'>,
): ServiceUrl | undefined {
  const registered = registeredService(asked, services)
  if (registered || !loopbackServices || !asked || !URL.canParse(asked)) return registered
  const { protocol, hostname, port, host, origin } = new URL(asked)
  const isLoopback = protocol === 'http:' && (hostname === '127.0.0.1' || hostname === '[::1]') && port !== ''
  const service = isLoopback ? registeredService(asked, [origin]) : undefined
  return service && { ...service, program: host }
}

function isAtOrBelow(url: URL, registered: URL): boolean {
  if (url.origin !== registered.origin) return false
  const base = registered.pathname.replace(/\/+$/, '')
  return url.pathname === base || url.pathname.startsWith(`${base}/`)
}

/** Spaces and control characters, which browsers silently drop from addresses. */
function hasUnprintable(text: string): boolean {
  return /[\s\p{Cc}\p{Cf}]/u.test(text)
}

/** The service's address with `ticket` added, and otherwise unchanged. */
export function withTicket({ url }: ServiceUrl, ticket: string): string {
  return `${url.href}${url.search === '' && !url.href.endsWith('?') ? '?' : '&'}ticket=${ticket}`
}

/** The address for single logout notices: the service's without the query. */
export function logoutAddress(service: string): string {
  const url = new URL(service)
  return `${url.origin}${url.pathname}`
}
