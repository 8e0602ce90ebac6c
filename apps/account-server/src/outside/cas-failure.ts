/** Why redeeming a ticket failed. */
type CasFailureKind =
  /** No request was made, the CAS server could not be reached, or it answered with an HTTP error. */
  | 'busy'
  | 'dns'
  | 'connection_refused'
  | 'connection'
  | 'tls'
  | 'timeout'
  | 'status'
  /** The answer does not follow the protocol. */
  | 'charset'
  | 'too_long'
  | 'malformed'
  /** The answer has an unusable e-mail address. */
  | 'email'
  /** The ticket was refused. */
  | 'refused'

export interface CasFailure {
  failure: CasFailureKind
  /** For the log: an error code, an HTTP status or a protocol code. Never the request or the answer. */
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

/** Whether the ticket's validity is unknown because the single sign-on could not be asked. */
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

/** The failure for an error of `fetch` or of reading the body, by its code. */
export function failureOf(error: unknown): CasFailure {
  if (error instanceof Error && error.name === 'TimeoutError') return { failure: 'timeout', detail: 'deadline' }
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? 'unknown'
  const [, failure = 'connection'] = kindsByCode.find(([pattern]) => pattern.test(code)) ?? []
  return { failure, detail: code }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
