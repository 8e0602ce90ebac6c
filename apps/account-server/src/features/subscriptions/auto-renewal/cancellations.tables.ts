import { index, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import { subscriptions } from '../subscriptions.tables.ts'

/** Why auto-renewal was turned off, in the customer's words: one row each time. */
export const cancellations = account.table(
  'cancellations',
  {
    /** The operation that turned it off. */
    id: uuid('id').primaryKey(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** Codes of `cancelReasons`. */
    reasons: integer('reasons').array().notNull(),
    comment: text('comment').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('cancellations_of_member').on(table.memberId),
    index('cancellations_of_subscription').on(table.subscriptionId),
  ],
)
