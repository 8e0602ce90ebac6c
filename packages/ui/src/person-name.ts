import type { LocaleCode } from '@atrium/contract/locale.ts'

/** Languages in which the family name comes first. */
const familyFirst: readonly LocaleCode[] = ['ja-jp', 'zh-tw']

/** Two parts for first and family name, in the order of the language. */
export function inNameOrder<Part>(locale: LocaleCode, first: Part, family: Part): [Part, Part] {
  return familyFirst.includes(locale) ? [family, first] : [first, family]
}

/** A person's full name; empty if both names are unknown. */
export function personName(locale: LocaleCode, firstName: string, lastName: string): string {
  return inNameOrder(locale, firstName, lastName).join(' ').trim()
}
