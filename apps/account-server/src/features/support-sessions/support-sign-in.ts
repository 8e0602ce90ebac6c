import { type Locale, localeByCode } from '@atrium/contract/locale.ts'
import { visitor } from '@atrium/server-kit/serve.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../deps.ts'
import { serviceTicket } from '../../outside/cas.ts'
import { statedLocale } from '../session/locale-choice.ts'
import { supportNonceCookie } from '../session/session.cookies.ts'
import { describeTicketFailure, isNonce, isOfOldLogin, isSameNonce, newNonce } from '../session/session.rules.ts'
import { supportToken } from './identify-support.ts'
import { isSupportAgent } from './support-sessions.rules.ts'
import { signInAgent } from './support-sessions.service.ts'

/** The path to which the single sign-on returns an agent. */
const returnPath = '/support'

/** Leads to the login page of the single sign-on, which must ask for the password (`renew`), also of who is signed in there. */
export function beginAgentSignIn({ config }: Deps, request: FastifyRequest, reply: FastifyReply) {
  const cookie = supportNonceCookie(config)
  const waiting = request.cookies[cookie.name]
  const nonce = isNonce(waiting) ? waiting : newNonce({ retry: false })
  reply.setCookie(cookie.name, nonce, cookie.options)

  const url = new URL(`${config.SSO_URL}${config.CAS_PATH}/login`)
  url.searchParams.set('service', serviceUrl(config, nonce))
  url.searchParams.set('renew', 'true')
  const locale = statedLocale(request)
  if (locale) url.searchParams.set('locale', locale.code)
  return reply.redirect(url.href, 303)
}

/** From settings, never from `Host`. */
function serviceUrl({ PUBLIC_URL }: Deps['config'], nonce: string): string {
  return `${PUBLIC_URL}${returnPath}?signin=${nonce}`
}

export type AgentSignIn =
  /** `chosen`: the language that the agent chose on the pages of the single sign-on. */
  | { kind: 'signed-in'; token: string; chosen: Locale | undefined }
  /** The account is not a support agent's. */
  | { kind: 'no-agent' }
  | { kind: 'failed' }

interface Return {
  ticket: string
  nonce: string | undefined
}

/** Redeems the ticket of a return, only in the browser that began the sign-in, and only from a password that was just entered. */
export async function redeemAgentTicket(
  deps: Deps,
  request: FastifyRequest,
  { ticket, nonce }: Return,
): Promise<AgentSignIn> {
  const { config, logger, validateTicket, wallClock } = deps
  const isOurs = isSameNonce(nonce, request.cookies[supportNonceCookie(config).name])
  if (!isOurs || !serviceTicket.test(ticket)) return { kind: 'failed' }

  const principal = await validateTicket(ticket, serviceUrl(config, nonce), { renew: true })
  if ('failure' in principal) {
    logger.warn({ ...describeTicketFailure(ticket, principal), requestId: request.id }, 'ticket not redeemed')
    return { kind: 'failed' }
  }
  if (isOfOldLogin(principal)) {
    logger.warn({ subject: principal.user, requestId: request.id }, 'ticket refused: it is not of a new login')
    return { kind: 'failed' }
  }
  if (!isSupportAgent(config, principal)) {
    logger.warn({ subject: principal.user, requestId: request.id }, 'refused as support: no role of SUPPORT_ROLE')
    return { kind: 'no-agent' }
  }
  const replaced = supportToken(config, request)
  const token = await signInAgent(deps, { principal, ticket, replaced, visitor: visitor(request), now: wallClock() })
  return { kind: 'signed-in', token, chosen: localeByCode(principal.attributes.chosenLocale) }
}
