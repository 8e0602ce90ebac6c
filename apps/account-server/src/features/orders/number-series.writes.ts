import type { Tx } from '@atrium/server-kit/database.ts'
import { sql } from 'drizzle-orm'
import { numberSeries } from './orders.tables.ts'

const first = 100_001

/** What numbers begin with. */
const prefixes = { order: 'A-', invoice: 'INV-' } as const

/** The next number of a series. Its row stays locked until the transaction ends, so that no number is left out. */
export async function nextNumber(tx: Tx, name: keyof typeof prefixes): Promise<string> {
  const [row] = await tx
    .insert(numberSeries)
    .values({ name, last: first })
    .onConflictDoUpdate({ target: numberSeries.name, set: { last: sql`${numberSeries.last} + 1` } })
    .returning({ last: numberSeries.last })
  if (!row) throw new Error('the number was not counted')
  return `${prefixes[name]}${row.last}`
}
