import { text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'

/** A member's customer at the card provider. Cards are stored only there. */
export const providerCustomers = account.table('provider_customers', {
  memberId: uuid('member_id')
    .primaryKey()
    .references(() => members.id),
  customerId: text('customer_id').notNull().unique(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** Of the billing address last written to the provider. */
  addressFingerprint: text('address_fingerprint'),
})
