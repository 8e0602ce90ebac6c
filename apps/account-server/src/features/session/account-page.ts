import { english, type Locale, localeByCode, localeCookieSeconds, localePath } from '@atrium/contract/locale.ts'
import type { PageData, PageSettings } from '@atrium/contract/session.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountConfig } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import { paypalSdkUrl } from '../../outside/paypal/sdk-url.ts'
import { identifier } from './identify.ts'
import { chosenLocale, localeCookieName } from './locale-choice.ts'
import { noticeCookie } from './session.cookies.ts'
import { signInUrl } from './sign-on.ts'

export interface PageQuery {
  tab: string | undefined
  /** The token of an invitation's link. */
  invitation: string | undefined
}

interface PageRequest {
  /** Of the address's prefix; without one English. */
  locale: Locale
  query: PageQuery
  request: FastifyRequest
  reply: FastifyReply
  notice?: 'sign_in_failed'
}

/** Sends the account page in the right language, with the signed-in member or the sign-in address. */
export async function sendAccountPage(deps: Deps, { locale, query, request, reply, notice }: PageRequest) {
  const { config, pages } = deps

  const elsewhere = otherAddress(deps, { locale, query, request, reply })
  if (elsewhere) return reply.redirect(elsewhere, 303)
  const shown = locale === english ? chosenLocale(request) : locale
  if (locale !== english) writeLocale(config, reply, locale)

  const caller = await identifier(deps)(request, shown.code)
  const signedOut = !caller && !notice
  const data: PageData = {
    locale: shown.code,
    settings: pageSettings(config),
    member: caller ?? null,
    signInUrl: signedOut
      ? signInUrl(deps, request, reply, {
          path: localePath(locale, '/account'),
          invitation: query.invitation,
          retry: false,
        })
      : null,
    notice: notice ?? takeNotice(config, request, reply),
  }
  return pages.send(reply, { data, locale: shown, tab: query.tab })
}

/** The address to redirect to: in the cookie's language, or in English for the Russian roadmap (000 §9). */
function otherAddress({ config }: Deps, { locale, query, request, reply }: PageRequest): string | undefined {
  if (locale.code === 'ru-ru' && query.tab?.toLowerCase() === 'roadmap') {
    const cookie = noticeCookie(config)
    reply.setCookie(cookie.name, 'roadmap_language', cookie.options)
    writeLocale(config, reply, english)
    return '/account?tab=Roadmap'
  }
  const wanted = localeByCode(request.cookies[localeCookieName])
  if (locale !== english || !wanted || wanted === english) return undefined
  const [, search = ''] = request.url.split('?', 2)
  return `${localePath(wanted, '/account')}${search && `?${search}`}`
}

function writeLocale(config: AccountConfig, reply: FastifyReply, locale: Locale): void {
  const secure = config.PUBLIC_URL.startsWith('https:')
  reply.setCookie(localeCookieName, locale.code, { path: '/', sameSite: 'lax', secure, maxAge: localeCookieSeconds })
}

function takeNotice(config: AccountConfig, request: FastifyRequest, reply: FastifyReply): PageData['notice'] {
  const cookie = noticeCookie(config)
  if (request.cookies[cookie.name] !== 'roadmap_language') return null
  reply.clearCookie(cookie.name, cookie.options)
  return 'roadmap_language'
}

function pageSettings(config: AccountConfig): PageSettings {
  return {
    brandName: config.BRAND_NAME,
    brandColor: config.BRAND_COLOR,
    siteUrl: config.SITE_URL,
    ssoUrl: config.SSO_URL,
    passwordUrl: config.PASSWORD_URL ?? null,
    feedbackUrl: config.FEEDBACK_URL,
    ticketsUrl: config.TICKETS_URL,
    adminConsoleUrl: config.ADMIN_CONSOLE_URL,
    cards:
      config.CARD_PROVIDER === 'none'
        ? null
        : { scriptUrl: config.STRIPE_SCRIPT_URL, publishableKey: config.STRIPE_PUBLISHABLE_KEY },
    paypal:
      config.PAYPAL === 'none'
        ? null
        : { scriptUrl: paypalSdkUrl(config.PAYPAL_API_URL), clientId: config.PAYPAL_CLIENT_ID },
  }
}
