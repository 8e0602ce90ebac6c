import { jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** The outbox of events for the vendor's systems, written in the transaction of the change. */
export const events = account.table('events', {
  /** On the wire: `webhook-id`. */
  id: uuid('id').primaryKey().defaultRandom(),
  /** `noun.happened`: `device.deactivated`. */
  type: text('type').notNull(),
  data: jsonb('data').$type<Readonly<Record<string, unknown>>>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})
