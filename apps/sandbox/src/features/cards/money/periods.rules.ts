import type { Period } from './proration.rules.ts'

/** `{ interval: 'month', interval_count: 3 }` */
export interface Every {
  interval: string
  interval_count: number
}

const secondsOf: Readonly<Record<string, number>> = { day: 86_400, week: 7 * 86_400 }

/**
 * The boundary of periods that is `count` intervals after the anchor, or before it. The anchor's day of the month and time
 * of the day are kept; a shorter month ends on its last day (Jan 31 → Feb 28 → Mar 31).
 * @param anchor epoch seconds
 */
export function boundary(anchor: number, { interval, interval_count }: Every, count: number): number {
  const fixed = secondsOf[interval]
  if (fixed !== undefined) return anchor + count * interval_count * fixed
  const from = new Date(anchor * 1000)
  const months = count * interval_count * (interval === 'year' ? 12 : 1)
  const first = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + months, 1))
  const lastDay = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const day = Math.min(from.getUTCDate(), lastDay)
  return Math.floor(first.getTime() / 1000) + (day - 1) * 86_400 + (anchor % 86_400)
}

/** The period around a moment, with boundaries that are counted from the anchor. */
export function periodAround(anchor: number, every: Every, moment: number): Period {
  const length = boundary(anchor, every, 1) - anchor
  let count = Math.floor((moment - anchor) / length)
  while (boundary(anchor, every, count) > moment) count -= 1
  while (boundary(anchor, every, count + 1) <= moment) count += 1
  return { start: boundary(anchor, every, count), end: boundary(anchor, every, count + 1) }
}
