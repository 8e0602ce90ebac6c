import type { LocaleCode } from '@atrium/contract/locale.ts'
import { countryNames } from '@atrium/server-kit/formats.ts'
import isoCountries from 'i18n-iso-countries'

type CountryList = { code: string; name: string }[]

const lists = new Map<LocaleCode, CountryList>()

/** Countries by code and name in a language, in its sort order. Cached per language. */
export function countryList(lang: LocaleCode): CountryList {
  const known = lists.get(lang)
  if (known) return known

  const names = countryNames(lang)
  const compare = new Intl.Collator(lang).compare
  const list = Object.keys(isoCountries.getAlpha2Codes())
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => compare(a.name, b.name))
  lists.set(lang, list)
  return list
}

export function isCountry(code: string): boolean {
  return Object.hasOwn(isoCountries.getAlpha2Codes(), code)
}
