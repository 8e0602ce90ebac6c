import { primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'
import { account } from './schema-name.ts'

/** Acts that happened, by the key that the page made for them. Written in the transaction of the act; kept for two days. */
export const requestKeys = account.table(
  'request_keys',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    key: text('key').notNull(),
    /** Of what was asked. */
    print: text('print').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.key] })],
)
