import {
  english,
  type Locale,
  type LocaleCode,
  localeByAcceptLanguage,
  localeByCode,
  localeCookieSeconds,
} from '@atrium/contract/locale.ts'
import { isVisit } from '@atrium/server-kit/navigation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chosenLocaleCookieName } from '../chosen-locale-cookie.ts'

const cookie = 'sso_locale'

/** The language of a page: from the address, which is stored for a visit, else the cookie, else `Accept-Language`, else English. */
export function chooseLocale(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Locale {
  const asked = localeByCode(askedLocale(request.query))
  if (asked && isVisit(request)) {
    reply.setCookie(cookie, asked.code, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      maxAge: localeCookieSeconds,
    })
  }
  if (asked) return asked
  return localeByCode(request.cookies[cookie]) ?? localeByAcceptLanguage(request.headers['accept-language']) ?? english
}

/**
 * The language that the person chose in the menu of our pages, while these pages are in that language. A service that names another one
 * in its address is newer than the choice.
 */
export function chosenLocale({ cookies }: FastifyRequest): LocaleCode | undefined {
  const chosen = localeByCode(cookies[chosenLocaleCookieName])?.code
  return chosen === localeByCode(cookies[cookie])?.code ? chosen : undefined
}

function askedLocale(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('locale' in query)) return undefined
  return typeof query.locale === 'string' ? query.locale : undefined
}
