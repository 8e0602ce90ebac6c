import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { type Db, prepared } from '@atrium/server-kit/database.ts'
import { count, desc, eq, sql } from 'drizzle-orm'
import { offlineOrders } from './orders.tables.ts'

/** A member's offline orders, newest first, and how many there are. */
export async function offlineOrdersOf(db: Db, member: Member, { page, pageSize }: PageQuery) {
  const [rows, [counted]] = await Promise.all([
    pageOfOfflineOrders(db).execute({ memberId: member.id, limit: pageSize, offset: (page - 1) * pageSize }),
    numberOfOfflineOrders(db).execute({ memberId: member.id }),
  ])
  return {
    total: counted?.total ?? 0,
    list: rows.map((row) => ({
      nsOrderNumber: row.orderNumber,
      orderDescription: row.lines,
      orderAmount: row.amount,
      orderCurrency: row.currency,
      orderDate: row.date.toISOString(),
    })),
  }
}

const pageOfOfflineOrders = prepared('offline_orders_page', (db, name) =>
  db
    .select()
    .from(offlineOrders)
    .where(eq(offlineOrders.memberId, sql.placeholder('memberId')))
    .orderBy(desc(offlineOrders.date), desc(offlineOrders.orderNumber))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const numberOfOfflineOrders = prepared('offline_orders_count', (db, name) =>
  db
    .select({ total: count() })
    .from(offlineOrders)
    .where(eq(offlineOrders.memberId, sql.placeholder('memberId')))
    .prepare(name),
)
