import type { Deps } from '../../deps.ts'
import { isMisused, isSet, type RawQuery, single } from '../cas/cas-query.rules.ts'
import type { CasAnswer, CasErrorCode } from '../cas/cas-reply.rules.ts'
import { kindOfTicket } from './ticket.rules.ts'
import { type Redeemed, redeemTicket } from './tickets.writes.ts'

interface Validation {
  query: RawQuery
  /** Whether the endpoint also accepts proxy tickets. We issue none, so none is ever valid. */
  allowsProxy: boolean
  /** CAS 3 returns the user's attributes, CAS 2 only the id. */
  withAttributes: boolean
}

const sentences: Readonly<Record<CasErrorCode, string>> = {
  INVALID_REQUEST: 'The parameters service and ticket are required, once each.',
  INVALID_TICKET_SPEC: 'This is no service ticket.',
  UNAUTHORIZED_SERVICE_PROXY: 'No service is authorized to perform proxy authentication.',
  INVALID_PROXY_CALLBACK: 'The proxy callback must be an https address.',
  INVALID_TICKET:
    'The ticket is not valid: it is unknown, was used before, has expired, or did not come from a new sign-in.',
  INVALID_SERVICE: 'The ticket was issued for another service.',
  UNAUTHORIZED_SERVICE: 'No service is authorized to ask for proxy tickets.',
  INTERNAL_ERROR: 'The ticket could not be validated now.',
}

export function refusal(code: CasErrorCode, kind: 'authenticationFailure' | 'proxyFailure' = 'authenticationFailure') {
  return { kind, failure: { code, description: sentences[code] } } as const satisfies CasAnswer
}

/** Validates a ticket once (CAS 3.0 §2.4 to §2.8). Every attempt uses it up. */
export async function validateTicket(
  deps: Deps,
  { query, allowsProxy, withAttributes }: Validation,
): Promise<CasAnswer> {
  const service = single(query, 'service')
  const ticket = single(query, 'ticket')
  if (!service || !ticket) return refusal('INVALID_REQUEST')

  const kind = kindOfTicket(ticket)
  if (kind === 'proxy' && allowsProxy) return refusal('INVALID_TICKET')
  if (kind !== 'service') return refusal('INVALID_TICKET_SPEC')

  const now = deps.clock()
  const proxyRefusal = refusedProxy(query)
  const tried = await deps.db.transaction((tx) =>
    redeemTicket(tx, { ticket, service, renew: isSet(query, 'renew'), refuse: proxyRefusal !== undefined, now }),
  )

  if (!tried) return refusal('INVALID_TICKET')
  if (tried.service !== service) return refusal('INVALID_SERVICE')
  if (proxyRefusal) return refusal(proxyRefusal)
  if (!tried.accepted) return refusal('INVALID_TICKET')
  return { kind: 'authenticationSuccess', success: describe(tried, withAttributes) }
}

/** `pgtUrl` is never called, because proxies are not supported. A service that sends it is refused. */
function refusedProxy(query: RawQuery): CasErrorCode | undefined {
  if (query.pgtUrl === undefined) return undefined
  const callback = single(query, 'pgtUrl') ?? ''
  const isHttps = !isMisused(query, 'pgtUrl') && URL.canParse(callback) && new URL(callback).protocol === 'https:'
  return isHttps ? 'UNAUTHORIZED_SERVICE_PROXY' : 'INVALID_PROXY_CALLBACK'
}

function describe(
  { user, authenticatedAt, fromNewLogin, chosenLocale, isFirst }: NonNullable<Redeemed>,
  withAttributes: boolean,
) {
  if (!withAttributes) return { user: user.id }
  return {
    user: user.id,
    attributes: {
      authenticationDate: authenticatedAt.toISOString(),
      longTermAuthenticationRequestTokenUsed: false,
      isFromNewLogin: fromNewLogin,
      email: user.email,
      emailVerified: user.emailVerified,
      firstName: user.firstName,
      lastName: user.lastName,
      // As other CAS servers: an attribute without a value is left out.
      ...(user.roles.length > 0 && { roles: user.roles }),
      // Once: later the person may have chosen another one at the service.
      ...(chosenLocale !== null && isFirst && { chosenLocale }),
    },
  }
}
