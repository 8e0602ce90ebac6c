import type { Tx } from '@atrium/server-kit/database.ts'
import { eq, sql } from 'drizzle-orm'
import { numberSeries, orders } from './orders.tables.ts'

const first = 100_001

/** What numbers begin with. */
const prefixes = { order: 'A-', invoice: 'INV-' } as const

/**
 * The next number of a series that no order has: a file may have brought one like ours. Its row stays locked until the transaction
 * ends, so that no number is left out.
 */
export async function nextNumber(tx: Tx, name: keyof typeof prefixes): Promise<string> {
  const column = name === 'order' ? orders.orderNumber : orders.invoiceNumber
  for (;;) {
    const number = await count(tx, name)
    const [taken] = await tx.select({ number: column }).from(orders).where(eq(column, number))
    if (!taken) return number
  }
}

async function count(tx: Tx, name: keyof typeof prefixes): Promise<string> {
  const [row] = await tx
    .insert(numberSeries)
    .values({ name, last: first })
    .onConflictDoUpdate({ target: numberSeries.name, set: { last: sql`${numberSeries.last} + 1` } })
    .returning({ last: numberSeries.last })
  if (!row) throw new Error('the number was not counted')
  return `${prefixes[name]}${row.last}`
}
