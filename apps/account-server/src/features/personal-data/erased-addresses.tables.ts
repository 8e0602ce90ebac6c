import { text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { account } from '../../db/schema-name.ts'

/** Addresses of erased people, as keyed hashes: imports skip lines about them. */
export const erasedAddresses = account.table('erased_addresses', {
  /** Of the erasure: the parent of what follows at the card provider. */
  id: uuid('id').primaryKey().defaultRandom(),
  /** HMAC-SHA-256 of the address in lower case under `ERASURE_SECRET`, hex. */
  hash: text('hash').notNull().unique(),
  /** Which secret: its fingerprint. */
  secretId: text('secret_id').notNull(),
  erasedAt: timestamp('erased_at', { withTimezone: true }).notNull(),
})
