import type { LocaleCode } from '@atrium/contract/locale.ts'

/** Languages in which the family name comes first. */
const familyFirst: readonly LocaleCode[] = ['ja-jp', 'zh-tw']

/** Two parts for first and family name, in the order of the language. */
export function inNameOrder<Part>(locale: LocaleCode, first: Part, family: Part): [Part, Part] {
  return familyFirst.includes(locale) ? [family, first] : [first, family]
}

const eastAsian = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Both names in the order in which a page shows them: in Latin letters a person is “Ada Lindqvist” in Japanese and Chinese too. */
export function namesInOrder(locale: LocaleCode, firstName: string, lastName: string): [string, string] {
  const isEastAsian = eastAsian.test(firstName + lastName)
  return isEastAsian ? inNameOrder(locale, firstName, lastName) : [firstName, lastName]
}

/** A person's full name; empty if both names are unknown. */
export function personName(locale: LocaleCode, firstName: string, lastName: string): string {
  return namesInOrder(locale, firstName, lastName).join(' ').trim()
}
