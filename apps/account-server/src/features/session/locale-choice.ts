import {
  english,
  type Locale,
  localeByAcceptLanguage,
  localeByCode,
  localeByPrefix,
  localeCookieSeconds,
} from '@atrium/contract/locale.ts'
import { isVisit } from '@atrium/server-kit/navigation.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountConfig } from '../../config.ts'

/** The page reads and writes it too (the language menu), so it is not HttpOnly; it contains no secret. */
export const localeCookieName = 'atrium_locale'

/** By address, then cookie, then the browser's languages, then English (`docs/words.md`, locale). */
export function chosenLocale(request: FastifyRequest): Locale {
  return statedLocale(request) ?? localeByAcceptLanguage(request.headers['accept-language']) ?? english
}

/** By address, then cookie; undefined: nobody has chosen a language here. */
export function statedLocale(request: FastifyRequest): Locale | undefined {
  return localeOfAddress(request.url) ?? localeByCode(request.cookies[localeCookieName])
}

/** Stores a choice in the cookie, for addresses without a prefix. Only of a visit: an image on another site chooses nothing. */
export function writeLocale(
  config: Pick<AccountConfig, 'PUBLIC_URL'>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  locale: Locale,
): void {
  if (!isVisit(request)) return
  const secure = config.PUBLIC_URL.startsWith('https:')
  reply.setCookie(localeCookieName, locale.code, { path: '/', sameSite: 'lax', secure, maxAge: localeCookieSeconds })
}

/** The language of an address's prefix; undefined without one. */
function localeOfAddress(url: string): Locale | undefined {
  const [, first = ''] = url.split(/[/?]/)
  return first === '' ? undefined : localeByPrefix(first)
}
