import { index, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** Leads: members' requests to sales. */
export const quotes = account.table(
  'quotes',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    kind: text('kind', { enum: ['new', 'renewal', 'volume'] }).notNull(),
    productCode: text('product_code').notNull(),
    seats: integer('seats').notNull(),
    term: text('term').notNull(),
    company: text('company').notNull(),
    country: text('country').notNull(),
    message: text('message').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('quotes_of_member').on(table.memberId, table.createdAt.desc())],
)
