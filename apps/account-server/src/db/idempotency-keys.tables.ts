import { index, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from './members.tables.ts'
import { account } from './schema-name.ts'

/**
 * The one store of idempotency keys: which requests had their effect, or have it now. A key is written in the transaction of
 * the effect, and stored for `IDEMPOTENCY_KEY_DAYS`.
 */
export const idempotencyKeys = account.table(
  'idempotency_keys',
  {
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    key: text('key').notNull(),
    /** Of what was asked. */
    fingerprint: text('fingerprint').notNull(),
    /** The provider operation that does what was asked; null: it was done in the transaction that wrote the key. */
    operationId: uuid('operation_id'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.memberId, table.key] }),
    index('idempotency_keys_operation').on(table.operationId),
  ],
)
