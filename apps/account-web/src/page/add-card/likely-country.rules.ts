import type { LocaleCode } from '@atrium/contract/locale.ts'

/**
 * The country (ISO 3166-1 alpha-2) where a customer without an address most likely lives: that of the browser's language if it is the
 * page's, else that of the page's language. English is read everywhere, so by itself it names none.
 */
export function likelyCountry(locale: LocaleCode, browserLanguages: readonly string[]): string | undefined {
  const page = new Intl.Locale(locale)
  const inBrowser = browserLanguages.map(localeOf).find((one) => one?.language === page.language && one.region)
  if (inBrowser) return inBrowser.region
  return page.language === 'en' ? undefined : page.region
}

/** Undefined for a tag that is not valid: some browsers let people type it. */
function localeOf(tag: string): Intl.Locale | undefined {
  try {
    return new Intl.Locale(tag)
  } catch {
    return undefined
  }
}
