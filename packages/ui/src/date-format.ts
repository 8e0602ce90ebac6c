import { dayRange, withoutYearMark } from '@atrium/contract/day-format.ts'
import { unbroken } from './unbroken.ts'

/** `Nov 4, 2026`, by default in the reader's time zone. Stays on one line. */
export function formatDate(locale: string, date: Date, timeZone?: string): string {
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...(timeZone && { timeZone }) }).format(date)
  return unbroken(withoutYearMark(day))
}

/** `Nov 22 – Dec 22, 2026`, in days of UTC. */
export function formatDays(locale: string, from: Date, to: Date): string {
  return dayRange(new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }), from, to)
}

/** `Nov 4, 2026, 3:05 PM GMT+1`: a moment with its time zone. A line ends between date and time, if at all. */
export function formatMoment(locale: string, date: Date, timeZone?: string): string {
  const comma = /^(ja|zh)/.test(locale) ? '' : ','
  return `${formatDate(locale, date, timeZone)}${comma} ${formatTime(locale, date, timeZone)}`
}

/** `3:05 PM GMT+1`, of the same day. Stays on one line. */
export function formatTime(locale: string, date: Date, timeZone?: string): string {
  const time = new Intl.DateTimeFormat(locale, {
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  }).format(date)
  return unbroken(time)
}

/** From epoch seconds, which the specification uses in some fields. */
export function dateOfSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
