import { sql } from 'drizzle-orm'
import { boolean, index, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

export const addresses = account.table(
  'addresses',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** ISO 3166-1 alpha-2. */
    country: text('country').notNull(),
    /** Code from the country's state list; empty if it has none. */
    state: text('state').notNull(),
    city: text('city').notNull(),
    zip: text('zip').notNull(),
    street: text('street').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    contactEmail: text('contact_email').notNull(),
    isDefault: boolean('is_default').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('addresses_of_member').on(table.memberId, table.createdAt.desc(), table.id),
    uniqueIndex('addresses_one_default').on(table.memberId).where(sql`${table.isDefault}`),
  ],
)
