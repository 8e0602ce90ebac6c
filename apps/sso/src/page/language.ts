import {
  english,
  type Locale,
  localeByAcceptLanguage,
  localeByCode,
  localeCookieSeconds,
} from '@atrium/contract/locale.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const cookie = 'sso_locale'

/** The language of a page: from the address, else the cookie, else `Accept-Language`, else English. */
export function chooseLocale(request: FastifyRequest, reply: FastifyReply, isSecure: boolean): Locale {
  const asked = localeByCode(askedLocale(request.query))
  if (asked) {
    reply.setCookie(cookie, asked.code, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: isSecure,
      maxAge: localeCookieSeconds,
    })
    return asked
  }
  return localeByCode(request.cookies[cookie]) ?? localeByAcceptLanguage(request.headers['accept-language']) ?? english
}

function askedLocale(query: unknown): string | undefined {
  if (typeof query !== 'object' || query === null || !('locale' in query)) return undefined
  return typeof query.locale === 'string' ? query.locale : undefined
}
