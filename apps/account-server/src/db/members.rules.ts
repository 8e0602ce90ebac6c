import type { LocaleCode } from '@atrium/contract/locale.ts'

/** Epoch seconds of a running grant; 0 where none was given or it is over. */
export function grantedUntil(end: Date | null, now: Date): number {
  return end !== null && end > now ? epochSeconds(end) : 0
}

export function epochSeconds(date: Date): number {
  return Math.trunc(date.getTime() / 1000)
}

/** Languages in which the family name comes first. */
const familyFirst: readonly LocaleCode[] = ['ja-jp', 'zh-tw']

/** The whole name of a member in the order of a language; empty where we know none. */
export function memberName(lang: LocaleCode, { firstName, lastName }: { firstName: string; lastName: string }): string {
  return (familyFirst.includes(lang) ? [lastName, firstName] : [firstName, lastName]).join(' ').trim()
}

/** How an email addresses a member: by the first name, or by the whole one where that alone would be rude. */
export function greetedName(lang: LocaleCode, member: { firstName: string; lastName: string }): string {
  return familyFirst.includes(lang) ? memberName(lang, member) : member.firstName
}
