import { z } from 'zod'

/** How far back a list goes, in calendar months from today (000 §5). */
export const listRanges = ['three-month', 'six-month', 'one-year', 'three-year'] as const
export const ListRange = z.enum(listRanges)
export type ListRange = z.infer<typeof ListRange>
