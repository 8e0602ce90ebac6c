import { sql } from 'drizzle-orm'
import { boolean, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { account } from './schema-name.ts'

/** What a member may change in the profile. */
export const profileFields = ['firstName', 'lastName', 'phone', 'company'] as const
export type ProfileField = (typeof profileFields)[number]

export const members = account.table(
  'members',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Lower case. */
    email: text('email').notNull(),
    /** Only a verified address joins an imported member and a sign-on identity. */
    emailVerified: boolean('email_verified').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    phone: text('phone').notNull().default(''),
    company: text('company').notNull().default(''),
    /** ISO 3166-1 alpha-2, or empty. */
    countryCode: text('country_code').notNull().default(''),
    /** Of the profile: what the member changed here, which an import keeps unless it is told to overwrite it. */
    editedFields: text('edited_fields', { enum: profileFields }).array().notNull().default([]),
    /** End of the support's login access; in the past or null: none. */
    supportAccessUntil: timestamp('support_access_until', { withTimezone: true }),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [uniqueIndex('members_verified_email').on(table.email).where(sql`${table.emailVerified}`)],
)

/** Who a member is at the single sign-on: (provider, subject), never the e-mail alone. */
export const identities = account.table(
  'identities',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.subject] }),
    // One identity a member (record 016).
    uniqueIndex('identities_member').on(table.memberId, table.provider),
  ],
)
