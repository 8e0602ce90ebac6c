const daysOf = { day: 1, week: 7 } as const

/** The same time a day, week, month or year later (UTC); the last day of a shorter month. */
export function momentAfter(from: Date, by: 'day' | 'week' | 'month' | 'year'): Date {
  const to = new Date(from)
  if (by === 'day' || by === 'week') {
    to.setUTCDate(to.getUTCDate() + daysOf[by])
    return to
  }
  to.setUTCDate(1)
  to.setUTCMonth(to.getUTCMonth() + (by === 'month' ? 1 : 12))
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return to
}
