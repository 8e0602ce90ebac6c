import { subscriptionStatuses } from '@atrium/contract/subscriptions.ts'
import { boolean, index, integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import { products } from '../catalog/catalog.tables.ts'

/** A recurring purchase or a grant: its product, Owner and period. */
export const subscriptions = account.table(
  'subscriptions',
  {
    id: text('id').primaryKey(),
    /** The Owner. */
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    productCode: text('product_code')
      .notNull()
      .references(() => products.code),
    status: text('status', { enum: subscriptionStatuses }).notNull(),
    /** Seats paid. */
    userCount: integer('user_count').notNull(),
    origin: text('origin', { enum: ['online', 'offline', 'given'] }).notNull(),
    channel: text('channel', { enum: ['card', 'paypal', 'invoice'] }).notNull(),
    autoRenew: boolean('auto_renew').notNull(),
    periodStart: timestamp('period_start', { withTimezone: true }).notNull(),
    /** Null: no end. */
    periodEnd: timestamp('period_end', { withTimezone: true }),
    trialEnd: timestamp('trial_end', { withTimezone: true }),
    cancelAt: timestamp('cancel_at', { withTimezone: true }),
    pastDueSince: timestamp('past_due_since', { withTimezone: true }),
    endedAt: timestamp('ended_at', { withTimezone: true }),
    orgCode: text('org_code').notNull(),
  },
  (table) => [index('subscriptions_of_member').on(table.memberId, table.id)],
)
