import { type ListRange, RelativeRange, yearOf } from '@atrium/contract/range.ts'

const months: Readonly<Record<RelativeRange, number>> = {
  'three-month': 3,
  'six-month': 6,
  'one-year': 12,
  'three-year': 36,
}

/** After every date. */
const never = new Date(Date.UTC(9999, 0))

/**
 * The dates of a list's range, `until` excluded: a calendar year (UTC), or from the day a number of calendar months ago on, or
 * from that month's last day.
 */
export function rangeBounds(range: ListRange, now: Date): { since: Date; until: Date } {
  const year = yearOf(range)
  if (year !== undefined) return { since: new Date(Date.UTC(year, 0)), until: new Date(Date.UTC(year + 1, 0)) }
  const month = now.getUTCMonth() - months[RelativeRange.parse(range)]
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return { since: new Date(Date.UTC(now.getUTCFullYear(), month, Math.min(now.getUTCDate(), lastDay))), until: never }
}
