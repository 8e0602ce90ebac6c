/** The same day and time of day so many calendar months later, or earlier; January 31 + 1 month is the last day of February. */
export function monthsLater(date: Date, months: number): Date {
  const later = new Date(date)
  later.setUTCDate(1)
  later.setUTCMonth(later.getUTCMonth() + months)
  const lastOfMonth = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
  later.setUTCDate(Math.min(date.getUTCDate(), lastOfMonth))
  return later
}

const dayMs = 86_400_000

export function daysLater(date: Date, days: number): Date {
  return new Date(date.getTime() + days * dayMs)
}

/** A card is valid to the end of its month, in every time zone. */
export function isCardExpired({ expMonth, expYear }: { expMonth: number; expYear: number }, now: Date): boolean {
  return now.getTime() >= Date.UTC(expYear, expMonth, 1, 12)
}

const recentDays = 3

/**
 * Whether something happened so recently that it is news. Webhooks are repeated for three days; what is older was there before
 * Atrium heard of it, and is taken over without emails.
 */
export function isRecent(date: Date, now: Date): boolean {
  return now.getTime() - date.getTime() <= recentDays * dayMs
}
