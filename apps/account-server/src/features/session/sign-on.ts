import { type Locale, localeByCode } from '@atrium/contract/locale.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serviceTicket } from '../../outside/cas.ts'
import { identifier } from './identify.ts'
import { statedLocale } from './locale-choice.ts'
import { nonceCookie, sessionCookie } from './session.cookies.ts'
import {
  credentialsEnteredAt,
  describeTicketFailure,
  type IdentityRefusal,
  isEmailVerified,
  isNonce,
  isOfOldLogin,
  isRetry,
  isSameNonce,
  isToken,
  newNonce,
  refusalSentence,
} from './session.rules.ts'
import { signIn } from './session.service.ts'

/** The address to which the single sign-on returns the browser: from settings, never from `Host`. */
function serviceUrl(
  { config }: Deps,
  { path, invitation }: Pick<Attempt, 'path' | 'invitation'>,
  nonce: string,
): string {
  const url = new URL(`${config.PUBLIC_URL}${path}`)
  if (invitation !== undefined) url.searchParams.set('invitation', invitation)
  url.searchParams.set('signin', nonce)
  return url.href
}

/**
 * The address of the login page, tied to this browser by a nonce. Reuses a pending nonce, so that two signed-out tabs can both
 * return.
 */
export function signInUrl(deps: Deps, request: FastifyRequest, reply: FastifyReply, attempt: Attempt): string {
  const { config } = deps
  const { retry, gateway, renew } = attempt
  const cookie = nonceCookie(config)
  const waiting = request.cookies[cookie.name]
  const nonce = isNonce(waiting) && isRetry(waiting) === retry ? waiting : newNonce({ retry })
  reply.setCookie(cookie.name, nonce, cookie.options)

  const url = new URL(`${config.SSO_URL}${config.CAS_PATH}/login`)
  url.searchParams.set('service', serviceUrl(deps, attempt, nonce))
  if (renew) url.searchParams.set('renew', 'true')
  else if (gateway) url.searchParams.set('gateway', 'true')
  // Without one, the pages there keep the language that was chosen on them before.
  const locale = statedLocale(request)
  if (locale) url.searchParams.set('locale', locale.code)
  return url.href
}

interface Attempt {
  /** The return path: the account page in a language, or the end of the login popup. */
  path: string
  /** Of an invitation's link: a sign-up leads back to it, even in another window. */
  invitation?: string | undefined
  /** Whether this is the retry after a first failure. */
  retry: boolean
  /** Whether nobody is asked to sign in: who is not signed in there comes back without a ticket (CAS 3.0 §2.1.1). */
  gateway?: boolean
  /** Whether credentials must be entered, also by who is signed in there (CAS 3.0 §2.1.1). */
  renew?: boolean
}

export function beginSignIn(deps: Deps, request: FastifyRequest, reply: FastifyReply, attempt: Attempt) {
  return reply.redirect(signInUrl(deps, request, reply, attempt), 303)
}

interface Return extends Pick<Attempt, 'path' | 'invitation' | 'renew'> {
  ticket: string
  nonce: string | undefined
}

export type Redemption =
  | {
      kind: 'signed-in'
      token: string
      /** Chosen on the pages of the single sign-on; they start in the language of ours. */
      chosen: Locale | undefined
    }
  /** Another browser's ticket, or an old address, once more: not redeemed; the present session stays. */
  | { kind: 'ignored' }
  /** `gateway` while somebody is signed in here. */
  | { kind: 'retry'; gateway: boolean }
  /** The single sign-on accepts the person, but which account is theirs is not certain. */
  | { kind: 'refused'; reason: IdentityRefusal }
  | { kind: 'failed' }

/** Redeems the ticket of a return, only if this browser began the sign-in: otherwise the ticket could be planted. */
export async function redeem(
  deps: Deps,
  request: FastifyRequest,
  { ticket, nonce, renew = false, ...returned }: Return,
): Promise<Redemption> {
  const { config, wallClock, logger, validateTicket } = deps
  const expected = request.cookies[nonceCookie(config).name]
  if (!isSameNonce(nonce, expected)) return unredeemed(deps, request, nonce)
  if (!serviceTicket.test(ticket)) return again(nonce)

  const principal = await validateTicket(ticket, serviceUrl(deps, returned, nonce), { renew })
  if ('failure' in principal) {
    logger.warn({ ...describeTicketFailure(ticket, principal), requestId: request.id }, 'ticket not redeemed')
    return again(nonce)
  }
  if (renew && isOfOldLogin(principal)) {
    logger.warn({ subject: principal.user, requestId: request.id }, 'ticket refused: it is not of a new login')
    return again(nonce)
  }

  const emailVerified = isEmailVerified(config.CAS_EMAIL_VERIFIED, principal.attributes)
  const caller = visitor(request)
  const before = request.cookies[sessionCookie(config).name]
  const replaced = isToken(before) ? before : undefined
  const browser = { visitor: caller, userAgent: request.headers['user-agent'], replaced }
  const now = wallClock()
  const freshAt = credentialsEnteredAt(principal, { renew, now })
  const outcome = await signIn(deps, { principal, emailVerified, ticket, ...browser, freshAt, now })
  if (outcome.kind === 'signed-in') return { ...outcome, chosen: localeByCode(principal.attributes.chosenLocale) }
  const who = { subject: principal.user, requestId: request.id }
  logger.warn({ ...who, ...outcome.reason }, refusalSentence(outcome.reason))
  return outcome
}

/**
 * Somebody who is signed in may have signed in as another person in a second tab, whose nonce the first one has used up: the single
 * sign-on is asked who is there, and never shows its page for that.
 */
async function unredeemed(deps: Deps, request: FastifyRequest, nonce: string | undefined): Promise<Redemption> {
  if (!(await identifier(deps)(request))) return again(nonce)
  return isNonce(nonce) && isRetry(nonce) ? { kind: 'ignored' } : { kind: 'retry', gateway: true }
}

/** One retry, so that a browser without cookies does not loop forever. */
function again(nonce: string | undefined): Redemption {
  return isNonce(nonce) && isRetry(nonce) ? { kind: 'failed' } : { kind: 'retry', gateway: false }
}
