import { bigint, char, index, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** Orders made outside the store: imported, read-only. */
export const offlineOrders = account.table(
  'offline_orders',
  {
    orderNumber: text('order_number').primaryKey(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    lines: text('lines').array().notNull(),
    /** Minor units of `currency`. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    date: timestamp('date', { withTimezone: true }).notNull(),
  },
  (table) => [index('offline_orders_of_member').on(table.memberId, table.date.desc(), table.orderNumber.desc())],
)
