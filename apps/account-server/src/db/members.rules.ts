import type { LocaleCode } from '@atrium/contract/locale.ts'

/** Epoch seconds of an active grant's end; 0 if there is none. */
export function grantedUntil(end: Date | null, now: Date): number {
  return end !== null && end > now ? epochSeconds(end) : 0
}

export function epochSeconds(date: Date): number {
  return Math.trunc(date.getTime() / 1000)
}

/** Languages in which the family name comes first. */
const familyFirst: readonly LocaleCode[] = ['ja-jp', 'zh-tw']

/** A member's full name in the order of a language; empty if unknown. */
export function memberName(lang: LocaleCode, { firstName, lastName }: { firstName: string; lastName: string }): string {
  return (familyFirst.includes(lang) ? [lastName, firstName] : [firstName, lastName]).join(' ').trim()
}

/** The name in an email's greeting: the first name, or the full name in languages where the first name would be rude. */
export function greetedName(lang: LocaleCode, member: { firstName: string; lastName: string }): string {
  return familyFirst.includes(lang) ? memberName(lang, member) : member.firstName
}
