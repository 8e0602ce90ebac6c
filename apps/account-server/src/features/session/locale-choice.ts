import { english, type Locale, localeByAcceptLanguage, localeByCode, localeByPrefix } from '@atrium/contract/locale.ts'
import type { FastifyRequest } from 'fastify'

/** Read and written by the page too (the language menu), so it is not HttpOnly and carries no secret. */
export const localeCookieName = 'atrium_locale'

/** Address, then cookie, then what the browser asks for, then English (`docs/words.md`, locale). */
export function chosenLocale(request: FastifyRequest): Locale {
  return (
    localeOfAddress(request.url) ??
    localeByCode(request.cookies[localeCookieName]) ??
    localeByAcceptLanguage(request.headers['accept-language']) ??
    english
  )
}

/** The language that a prefix names; an address without one names none. */
function localeOfAddress(url: string): Locale | undefined {
  const [, first = ''] = url.split(/[/?]/)
  return first === '' ? undefined : localeByPrefix(first)
}
