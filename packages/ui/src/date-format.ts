/** `Nov 4, 2026`, in the reader's own zone unless another is named. */
export function formatDate(locale: string, date: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', ...(timeZone && { timeZone }) }).format(date)
}

/** `Nov 4, 2026, 3:05 PM GMT+1`: a moment, with the zone that it is told in. */
export function formatMoment(locale: string, date: Date, timeZone?: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    ...(timeZone && { timeZone }),
  }).format(date)
}

/** Epoch seconds, as the wire has them where the specification says so. */
export function dateOfSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
