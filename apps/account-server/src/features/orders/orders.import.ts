import { sql } from 'drizzle-orm'
import { importer } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { offlineOrders } from './orders.tables.ts'

export const offlineOrderImporter = importer('offline-order', async (tx, lines, { refuse }) => {
  const memberIds = await memberIdsByEmail(
    tx,
    lines.map(({ record }) => record.email),
  )
  const rows = lines.flatMap((line) => {
    const { email, orderNumber, lines: description, amount, currency, date } = line.record
    const memberId = memberIds.get(email)
    if (memberId) return [{ orderNumber, memberId, lines: description, amount, currency, date: new Date(date) }]
    refuse(line, 'email', 'no member has this e-mail address')
    return []
  })
  if (rows.length === 0) return

  await tx
    .insert(offlineOrders)
    .values(rows)
    .onConflictDoUpdate({
      target: offlineOrders.orderNumber,
      set: {
        memberId: sql`excluded.member_id`,
        lines: sql`excluded.lines`,
        amount: sql`excluded.amount`,
        currency: sql`excluded.currency`,
        date: sql`excluded.date`,
      },
    })
})
