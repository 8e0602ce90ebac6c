/** The same day and time of day so many calendar months later, or earlier; January 31 + 1 month is the last day of February. */
export function monthsLater(date: Date, months: number): Date {
  const later = new Date(date)
  later.setUTCDate(1)
  later.setUTCMonth(later.getUTCMonth() + months)
  const lastOfMonth = new Date(Date.UTC(later.getUTCFullYear(), later.getUTCMonth() + 1, 0)).getUTCDate()
  later.setUTCDate(Math.min(date.getUTCDate(), lastOfMonth))
  return later
}
