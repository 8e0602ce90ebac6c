import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** One row for each sign-in and each change of state, written in the same transaction. */
export const activity = account.table(
  'activity',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** The member whose account it happened in; null for an import. */
    memberId: uuid('member_id'),
    /** A member's id, or the name of a program. */
    actor: text('actor').notNull(),
    actorKind: text('actor_kind', {
      enum: ['member', 'colleague', 'support', 'system', 'vendor', 'provider'],
    }).notNull(),
    /** `area.verb`: `profile.updated`. */
    action: text('action').notNull(),
    target: text('target').notNull(),
    /** Non-secret fields before and after. */
    details: jsonb('details').notNull(),
    address: text('address'),
    requestId: text('request_id'),
  },
  (table) => [
    index('activity_member_at').on(table.memberId, table.at.desc()),
    // For retention: all old rows, and those that still have an address.
    index('activity_at').on(table.at),
    index('activity_address_at').on(table.at).where(sql`${table.address} is not null`),
  ],
)
