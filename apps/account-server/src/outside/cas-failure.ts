/** Where redeeming a ticket went wrong. */
type CasFailureKind =
  /** The CAS server was not asked, could not be reached, or answered with an HTTP error. */
  | 'busy'
  | 'dns'
  | 'connection_refused'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'status'
  /** It answered, but not with what the protocol says. */
  | 'charset'
  | 'too_long'
  | 'malformed'
  /** It answered with an e-mail address that cannot be used. */
  | 'email'
  /** It refused the ticket. */
  | 'refused'

export interface CasFailure {
  failure: CasFailureKind
  /** For the log: an error code, an HTTP status, a code of the protocol. Never what was sent or answered. */
  detail: string
}

const unavailable: readonly CasFailureKind[] = [
  'busy',
  'dns',
  'connection_refused',
  'connection',
  'tls',
  'timeout',
  'status',
]

/** Whether nothing is known of the ticket, because the single sign-on could not be asked. */
export function isUnavailable({ failure }: CasFailure): boolean {
  return unavailable.includes(failure)
}

const kindsByCode: readonly (readonly [RegExp, CasFailureKind])[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, 'dns'],
  [/^ECONNREFUSED$/, 'connection_refused'],
  [/TIMEOUT|^ETIMEDOUT$/, 'timeout'],
  [/CERT|TLS|SSL|CRL|SIGNATURE|^EPROTO$/, 'tls'],
  [/^ERR_ENCODING/, 'charset'],
]

/** What `fetch` or reading its answer threw, as far as its code tells. */
export function failureOf(error: unknown): CasFailure {
  if (error instanceof Error && error.name === 'TimeoutError') return { failure: 'timeout', detail: 'deadline' }
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? 'unknown'
  const [, failure = 'connection'] = kindsByCode.find(([pattern]) => pattern.test(code)) ?? []
  return { failure, detail: code }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
