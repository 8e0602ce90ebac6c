import { z } from 'zod'

/** How far back a list goes, in calendar months from today (000 §5). */
export const listRanges = ['three-month', 'six-month', 'one-year', 'three-year'] as const
export const RelativeRange = z.enum(listRanges)
export type RelativeRange = z.infer<typeof RelativeRange>

/** `2025`, in UTC. */
const CalendarYear = z.string().regex(/^20\d\d$/)

/** Of which dates a list is. */
export const ListRange = z.union([RelativeRange, CalendarYear])
export type ListRange = z.infer<typeof ListRange>

/** The year of a range that is a calendar year, else undefined. */
export function yearOf(range: ListRange | undefined): number | undefined {
  const { data } = CalendarYear.safeParse(range)
  return data === undefined ? undefined : Number(data)
}
