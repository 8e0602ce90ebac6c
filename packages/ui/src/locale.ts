import { english, type Locale, localeByCode, localeCookieSeconds } from '@atrium/contract/locale.ts'
import { useTranslation } from 'react-i18next'

/** Standard code of the page's language, for `Intl`: `pt-br`. */
export function useLocale(): Locale['code'] {
  const { i18n } = useTranslation()
  return (localeByCode(i18n.language) ?? english).code
}

/** The language cookie for the servers (000 §9: 31536000 seconds). */
export function localeCookie(locale: Locale, protocol: string): string {
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `atrium_locale=${locale.code}; Max-Age=${localeCookieSeconds}; Path=/; SameSite=Lax${secure}`
}
