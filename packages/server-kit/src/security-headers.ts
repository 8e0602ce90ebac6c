/** For replies that are not pages: no script, no frames, no content sniffing. */
const strictPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** The headers of every reply, errors included. A page adds its own (`pageHeaders`). */
export function securityHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-resource-policy': 'same-origin',
    'content-security-policy': strictPolicy,
    'cache-control': 'no-store',
    ...(publicUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  }
}

interface PagePolicy {
  /** New for each reply; only scripts and style elements with it are applied. */
  nonce: string
  connect?: readonly string[]
  frame?: readonly string[]
  script?: readonly string[]
  image?: readonly string[]
  /** Origins beside our own to which the page's forms may be sent. */
  formAction?: readonly string[]
}

/** What the page of a browser has in addition, and its own Content-Security-Policy: only our own scripts, no framing. */
export function pageHeaders(policy: PagePolicy): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policyOf(policy),
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  }
}

function policyOf({ nonce, connect = [], frame = [], script = [], image = [], formAction = [] }: PagePolicy): string {
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...script],
    'style-src': ["'self'", `'nonce-${nonce}'`],
    // React and Mantine set style attributes, which cannot run scripts.
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
