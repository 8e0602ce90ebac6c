import { jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** The outbox: what happened, for the vendor's own systems. Written in the transaction in which it happened. */
export const events = account.table('events', {
  /** On the wire: `webhook-id`. */
  id: uuid('id').primaryKey().defaultRandom(),
  /** `noun.happened`: `device.deactivated`. */
  type: text('type').notNull(),
  data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})
