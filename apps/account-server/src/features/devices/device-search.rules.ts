import { containing } from '@atrium/server-kit/database.ts'
import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/** Fewer digits would be found in too many MAC addresses, by words like `ada`. */
const macDigits = /^[0-9a-f]{4,12}$/

/** Contains what no MAC address has after `isFound` removed its separators. */
const noMac = '-'

/** The values of `isFound`'s placeholders; none for an empty search. */
export function deviceSearch(keyWord: string): { pattern?: string; macPattern?: string } {
  if (keyWord === '') return {}
  const digits = keyWord.toLowerCase().replaceAll(/[\s.:-]/g, '')
  return { pattern: containing(keyWord), macPattern: macDigits.test(digits) ? containing(digits) : noMac }
}

/** Whether one of the texts contains what is searched for, or the MAC address does, however its digits are separated. */
export function isFound({ texts, mac }: { texts: readonly SQLWrapper[]; mac: SQLWrapper }): SQL | undefined {
  const pattern = sql.placeholder('pattern')
  return or(
    // The database lowercases both sides, so that they agree.
    ...texts.map((text) => sql`lower(${text}) like lower(${pattern})`),
    sql`translate(lower(${mac}), '.:-', '') like ${sql.placeholder('macPattern')}`,
  )
}
