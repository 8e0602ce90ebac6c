import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { inArray } from 'drizzle-orm'
import { importer, noMember, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { dropArchives } from '../archives/archives.writes.ts'
import { offlineOrders } from './orders.tables.ts'

export const offlineOrderImporter = importer('offline-order', async (tx, lines, context) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const rows = rowsOf(lines, context, ({ email, orderNumber, lines: description, amount, currency, date }) => {
    const memberId = memberIds.get(email)
    if (!memberId) return noMember
    return { orderNumber, memberId, lines: description, amount, currency, date: new Date(date) }
  })
  if (rows.length === 0) return
  const moved = await movedOrders(tx, rows)
  for (const line of lines) {
    const { orderNumber } = line.record
    if (moved.has(orderNumber)) context.warn(line, 'email', `order ${orderNumber} was another customer’s, and moves`)
  }
  await dropArchives(tx, [...new Set(moved.values())])

  await tx
    .insert(offlineOrders)
    .values(rows)
    .onConflictDoUpdate({
      target: offlineOrders.orderNumber,
      set: excluded(offlineOrders, ['memberId', 'lines', 'amount', 'currency', 'date']),
    })
})

/** Which orders are another customer's until now, and whose, by order number. */
async function movedOrders(tx: Tx, rows: readonly (typeof offlineOrders.$inferInsert)[]): Promise<Map<string, string>> {
  const owners = new Map(rows.map(({ orderNumber, memberId }) => [orderNumber, memberId]))
  const stored = await tx
    .select({ orderNumber: offlineOrders.orderNumber, memberId: offlineOrders.memberId })
    .from(offlineOrders)
    .where(inArray(offlineOrders.orderNumber, [...owners.keys()]))
  const others = stored.filter(({ orderNumber, memberId }) => memberId !== owners.get(orderNumber))
  return new Map(others.map(({ orderNumber, memberId }) => [orderNumber, memberId]))
}
