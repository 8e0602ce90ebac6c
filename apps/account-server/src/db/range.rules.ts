import type { ListRange } from '@atrium/contract/range.ts'

const months: Readonly<Record<ListRange, number>> = {
  'three-month': 3,
  'six-month': 6,
  'one-year': 12,
  'three-year': 36,
}

/** Start of a list's range: of the day a number of calendar months ago (UTC), or of that month's last day. */
export function rangeStart(range: ListRange, now: Date): Date {
  const month = now.getUTCMonth() - months[range]
  const lastDay = new Date(Date.UTC(now.getUTCFullYear(), month + 1, 0)).getUTCDate()
  return new Date(Date.UTC(now.getUTCFullYear(), month, Math.min(now.getUTCDate(), lastDay)))
}
