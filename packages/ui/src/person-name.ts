import type { LocaleCode } from '@atrium/contract/locale.ts'

/** Languages in which the family name comes first. */
const familyFirst: readonly LocaleCode[] = ['ja-jp', 'zh-tw']

/** Two things of a name, its first name's and its family name's, in the order in which the language has them. */
export function inNameOrder<Part>(locale: LocaleCode, first: Part, family: Part): [Part, Part] {
  return familyFirst.includes(locale) ? [family, first] : [first, family]
}

/** The whole name of a person; empty where we know neither. */
export function personName(locale: LocaleCode, firstName: string, lastName: string): string {
  return inNameOrder(locale, firstName, lastName).join(' ').trim()
}
