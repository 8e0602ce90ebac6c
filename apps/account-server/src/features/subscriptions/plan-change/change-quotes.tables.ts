import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import type { PlanChangeType } from '@atrium/contract/plan-change-types.ts'
import { index, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import type { OnceOff, PaidBefore } from '../../../outside/card-provider/added-lines.ts'
import type { ItemChange } from '../../../outside/card-provider/plan-changes.ts'
import { subscriptions } from '../subscriptions.tables.ts'

/** What the customer asked for. */
export interface AskedChange {
  type: PlanChangeType
  increasingNumber: number
  /** Empty: the first one. */
  upgradeSelect: string
  /** Empty: none. */
  couponCode: string
}

/** What a change would charge, as the customer was shown it: it is charged exactly so, or not at all. */
export const changeQuotes = account.table(
  'change_quotes',
  {
    id: uuid('id').primaryKey(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    asked: jsonb('asked').$type<AskedChange>().notNull(),
    /** What the subscription was when it was quoted; another state makes the quote stale. */
    version: text('version').notNull(),
    /** What its coupon takes off; null: none. */
    discount: jsonb('discount').$type<OnceOff>(),
    /** What its Owner before has paid of what it charges. */
    paidBefore: jsonb('paid_before').$type<readonly PaidBefore[]>().notNull().default([]),
    items: jsonb('items').$type<readonly ItemChange[]>().notNull(),
    shown: jsonb('shown').$type<ChangeQuote>().notNull(),
    /** The moment of the change for the provider, in whole seconds. */
    prorationDate: timestamp('proration_date', { withTimezone: true }).notNull(),
    validUntil: timestamp('valid_until', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** The operation that used it; null: not used. */
    operationId: uuid('operation_id'),
  },
  (table) => [
    index('change_quotes_of_member').on(table.memberId),
    index('change_quotes_of_subscription').on(table.subscriptionId),
    index('change_quotes_by_age').on(table.createdAt),
  ],
)

export type ChangeQuoteRow = typeof changeQuotes.$inferSelect
