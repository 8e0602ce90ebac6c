import { text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'

/** Who a member is at the card provider. Cards themselves live there alone. */
export const providerCustomers = account.table('provider_customers', {
  memberId: uuid('member_id')
    .primaryKey()
    .references(() => members.id),
  customerId: text('customer_id').notNull().unique(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** Of the billing address that was written to the provider last. */
  addressFingerprint: text('address_fingerprint'),
})
