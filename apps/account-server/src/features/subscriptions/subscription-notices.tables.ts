import { index, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** Which email about an end, or a renewal: the end itself, or a reminder some days before. */
export const noticeKinds = [
  'ended',
  'end-in-30-days',
  'end-in-7-days',
  'trial-end-in-7-days',
  'renewal-in-30-days',
  'renewal-in-7-days',
  'confirmation-in-3-days',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Emails about an end that the Owner was sent, or needs no more: each once for each end. Deleted when the end is past. */
export const subscriptionNotices = account.table(
  'subscription_notices',
  {
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id, { onDelete: 'cascade' }),
    kind: text('kind', { enum: noticeKinds }).notNull(),
    endsAt: timestamp('ends_at', { withTimezone: true }).notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.subscriptionId, table.kind, table.endsAt] }),
    index('subscription_notices_by_end').on(table.endsAt),
  ],
)
