import { index, jsonb, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'
import { account } from './schema-name.ts'

/**
 * Idempotency keys of all requests. A key is inserted in the transaction of the request's effect, and stored for
 * `IDEMPOTENCY_KEY_DAYS`.
 */
export const idempotencyKeys = account.table(
  'idempotency_keys',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    key: text('key').notNull(),
    /** Of the request. */
    fingerprint: text('fingerprint').notNull(),
    /** The provider operation of the request; null if its effect was in the transaction that inserted the key. */
    operationId: uuid('operation_id'),
    /** What the request answered, where that cannot be read from its effect later; null otherwise. */
    answer: jsonb('answer').$type<object>(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.memberId, table.key] }),
    index('idempotency_keys_operation').on(table.operationId),
  ],
)
