import { excluded, importer, noMember, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
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

  await tx
    .insert(offlineOrders)
    .values(rows)
    .onConflictDoUpdate({
      target: offlineOrders.orderNumber,
      set: excluded(offlineOrders, ['memberId', 'lines', 'amount', 'currency', 'date']),
    })
})
