import { text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import { subscriptions } from '../subscriptions.tables.ts'

/** Providers' subscriptions that no longer stand for ours, since it has another Owner: what happens to them changes nothing here. */
export const movedObjects = account.table('moved_objects', {
  providerId: text('provider_id').primaryKey(),
  subscriptionId: text('subscription_id')
    .notNull()
    .references(() => subscriptions.id),
  /** The card provider's customer who has bought it; null: PayPal has it, or an earlier version of this program has moved it. */
  customerId: text('customer_id'),
  /** Who had it until then; null: an earlier version of this program has moved it, and no transfer says so. */
  memberId: uuid('member_id').references(() => members.id),
  movedAt: timestamp('moved_at', { withTimezone: true }).notNull(),
})
