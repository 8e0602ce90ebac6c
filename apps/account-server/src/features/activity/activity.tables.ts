import { sql } from 'drizzle-orm'
import { bigint, index, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** One row for every sign-in and every change of state, written in the transaction of the change. */
export const activity = account.table(
  'activity',
  {
    id: bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity(),
    at: timestamp('at', { withTimezone: true }).notNull(),
    /** Whose account it happened in; null for an import. */
    memberId: uuid('member_id'),
    /** Who did it: a member's id, or the name of a program. */
    actor: text('actor').notNull(),
    actorKind: text('actor_kind', { enum: ['member', 'colleague', 'support', 'system', 'vendor'] }).notNull(),
    /** `area.verb`: `profile.updated`. */
    action: text('action').notNull(),
    target: text('target').notNull(),
    /** Before and after of fields that are no secrets. */
    details: jsonb('details').notNull(),
    address: text('address'),
    requestId: text('request_id'),
  },
  (table) => [
    index('activity_member_at').on(table.memberId, table.at.desc()),
    // What retention looks for: all that is old, and what of it still has an address.
    index('activity_at').on(table.at),
    index('activity_address_at').on(table.at).where(sql`${table.address} is not null`),
  ],
)
