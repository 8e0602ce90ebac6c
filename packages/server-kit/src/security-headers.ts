/** For every reply that is no page of ours: nothing in it may run, be framed, or be guessed at. */
const strictPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** What every reply carries, errors included. A page replaces the policy by one with its nonce (`pagePolicy`). */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': strictPolicy,
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

interface PagePolicy {
  /** Fresh for each reply; only scripts and style elements that carry it run. */
  nonce: string
  connect?: readonly string[]
  frame?: readonly string[]
  script?: readonly string[]
  image?: readonly string[]
  /** Origins beside our own that a form of the page may go to. */
  formAction?: readonly string[]
}

/** The Content-Security-Policy of a page of ours: only our own script, no frames around it. */
export function pagePolicy({
  nonce,
  connect = [],
  frame = [],
  script = [],
  image = [],
  formAction = [],
}: PagePolicy): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...script],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    // React and Mantine set styles of single elements through attributes; they carry no script.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', ...image],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...connect],
    'frame-src': frame.length > 0 ? frame : ["'none'"],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'", ...formAction],
    'frame-ancestors': ["'none'"],
  }
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(' ')}`)
    .join('; ')
}
