import { z } from 'zod'

/** Address prefix, standard code, folder of texts and native name of each language. */
export const locales = [
  { code: 'en-us', prefix: '', folder: 'en', name: 'English' },
  { code: 'de-de', prefix: 'de', folder: 'de', name: 'Deutsch' },
  { code: 'es-es', prefix: 'es', folder: 'es', name: 'Español' },
  { code: 'fr-fr', prefix: 'fr', folder: 'fr', name: 'Français' },
  { code: 'it-it', prefix: 'it', folder: 'it', name: 'Italiano' },
  { code: 'ja-jp', prefix: 'ja-jp', folder: 'ja-jp', name: '日本語' },
  { code: 'nl-nl', prefix: 'nl', folder: 'nl', name: 'Nederlands' },
  { code: 'pt-br', prefix: 'pt', folder: 'pt', name: 'Português' },
  { code: 'ru-ru', prefix: 'ru', folder: 'ru', name: 'Русский' },
  { code: 'zh-tw', prefix: 'zh-tw', folder: 'zh-tw', name: '繁體中文' },
] as const

export type Locale = (typeof locales)[number]
export type LocaleCode = Locale['code']

export const LocaleCode = z.enum(locales.map((locale) => locale.code))

export const english: Locale = locales[0]

/** Nothing is sold in Russian (000 §6, 001 §2, §6): what would lead to a purchase is not shown. The server refuses nothing for it. */
export function maySellIn(code: LocaleCode): boolean {
  return code !== 'ru-ru'
}

/** Seconds (§9 of both specifications). */
export const localeCookieSeconds = 31_536_000

export function localeByCode(code: string | undefined): Locale | undefined {
  return locales.find((locale) => locale.code === code?.toLowerCase())
}

export function localeByPrefix(prefix: string): Locale | undefined {
  return locales.find((locale) => locale.prefix === prefix)
}

/** The first supported language of an `Accept-Language` header. */
export function localeByAcceptLanguage(header: string | undefined): Locale | undefined {
  const wanted = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';')
      const quality = parameters.find((parameter) => parameter.trim().startsWith('q='))
      return { tag: tag.trim(), quality: quality ? Number(quality.trim().slice(2)) : 1 }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((a, b) => b.quality - a.quality)

  for (const { tag } of wanted) {
    const [language = ''] = tag.split('-')
    const found = localeByCode(tag) ?? locales.find((locale) => locale.code.split('-')[0] === language)
    if (found) return found
  }
  return undefined
}

/** `/de/account`: the address of the account page, or of another path, in a language. */
export function localePath(locale: Locale, path: string): string {
  return locale.prefix === '' ? path : `/${locale.prefix}${path}`
}
