import { renewalReasons } from '@atrium/contract/products.ts'
import { primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** The subject of a prompt about licenses without a subscription begins with it; the product's code follows. */
export const licensesPrefix = 'licenses:'

/** Prompts of the renewal banner that a member has hidden, and when they last did. */
export const renewalDismissals = account.table(
  'renewal_dismissals',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** A subscription's id, or `licensesPrefix` and a product's code. */
    subject: text('subject').notNull(),
    reason: text('reason', { enum: renewalReasons }).notNull(),
    dismissedAt: timestamp('dismissed_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.subject, table.reason] })],
)
