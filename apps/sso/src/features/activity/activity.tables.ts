import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** One row per sign-in and change of state. */
export const activity = sso.table(
  'activity',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** Not a foreign key: activity outlives the account. */
    userId: text('user_id'),
    /** `area.verb` */
    action: text('action').notNull(),
    address: text('address'),
    requestId: text('request_id'),
    /** Without addresses and names: an erasure finds a person's rows by the account. */
    details: jsonb('details').$type<Record<string, unknown>>().notNull().default({}),
  },
  (table) => [
    index('activity_user').on(table.userId, table.at),
    // For retention: old rows, and old rows that still have an address.
    index('activity_at').on(table.at),
    index('activity_address_at').on(table.at).where(sql`${table.address} is not null`),
  ],
)
