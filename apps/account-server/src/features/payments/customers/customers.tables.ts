import { sql } from 'drizzle-orm'
import { boolean, check, index, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import { linkProofs } from './link-proofs.rules.ts'

/** Members' customers at the card provider. Cards are stored only there. */
export const providerCustomers = account.table(
  'provider_customers',
  {
    customerId: text('customer_id').primaryKey(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** How it is known that the customer is this member. */
    proof: text('proof', { enum: linkProofs }).notNull(),
    /** What proves it is one card, or one thing that was bought there: the other cards may be somebody else's. */
    isPartlyProven: boolean('is_partly_proven').notNull().default(false),
    /** The one where cards are put on file and new purchases begin; never one that is known by an address alone, or partly proven. */
    isMain: boolean('is_main').notNull(),
    /** The vendor has deleted it at the provider: nothing is put on file or begun there, and whose it was stays known. */
    isDeleted: boolean('is_deleted').notNull().default(false),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** Of the billing address last written to the provider. */
    addressFingerprint: text('address_fingerprint'),
  },
  (table) => [
    index('provider_customers_of_member').on(table.memberId),
    uniqueIndex('provider_customers_main').on(table.memberId).where(sql`${table.isMain}`),
    check('provider_customers_main_is_proven', sql`not (${table.isMain} and ${table.proof} = 'address')`),
  ],
)
