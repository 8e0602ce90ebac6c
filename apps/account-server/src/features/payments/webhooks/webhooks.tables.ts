import { text, timestamp } from 'drizzle-orm/pg-core'
import { account } from '../../../db/schema-name.ts'

/** Events of providers, each stored once; deleted after `PROVIDER_EVENT_DAYS`. */
export const providerEvents = account.table('provider_events', {
  /** The provider's id of the event. */
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  /** The id of the object it is about. */
  objectId: text('object_id').notNull(),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
})

/** Until when a provider's own list of events was read, for what no webhook brought. */
export const providerEventReads = account.table('provider_event_reads', {
  provider: text('provider', { enum: ['card', 'paypal'] }).primaryKey(),
  readUntil: timestamp('read_until', { withTimezone: true }).notNull(),
})
