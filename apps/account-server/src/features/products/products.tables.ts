import { renewalReasons } from '@atrium/contract/products.ts'
import { primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import { subscriptions } from '../subscriptions/subscriptions.tables.ts'

/** Prompts of the renewal banner that a member has hidden, and when they last did. */
export const renewalDismissals = account.table(
  'renewal_dismissals',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    reason: text('reason', { enum: renewalReasons }).notNull(),
    dismissedAt: timestamp('dismissed_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.memberId, table.subscriptionId, table.reason] })],
)
