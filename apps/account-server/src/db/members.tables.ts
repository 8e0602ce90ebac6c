import type { LocaleCode } from '@atrium/contract/locale.ts'
import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, index, primaryKey, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { account } from './schema-name.ts'

/** Profile fields that the member may change. */
export const profileFields = ['firstName', 'lastName', 'phone', 'company'] as const
export type ProfileField = (typeof profileFields)[number]

export const members = account.table(
  'members',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** Lower case. */
    email: text('email').notNull(),
    /** Only a verified address links a sign-on identity to an imported member. */
    emailVerified: boolean('email_verified').notNull(),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    phone: text('phone').notNull().default(''),
    company: text('company').notNull().default(''),
    /** ISO 3166-1 alpha-2, or empty. */
    countryCode: text('country_code').notNull().default(''),
    /** Profile fields that the member has changed here, which an import preserves unless it says `overwrite`. */
    editedFields: text('edited_fields', { enum: profileFields }).array().notNull().default([]),
    /** End of the support's access; none if null or in the past. */
    supportAccessUntil: timestamp('support_access_until', { withTimezone: true }),
    /** The language of the account page when it was last opened: that of emails and invoices. */
    locale: text('locale').$type<LocaleCode>().notNull().default('en-us'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When an operator erased the personal data; null: not. The row stays for what refers to it. */
    erasedAt: timestamp('erased_at', { withTimezone: true }),
  },
  (table) => [
    uniqueIndex('members_verified_email').on(table.email).where(sql`${table.emailVerified}`),
    index('members_email_hash').on(emailHash(table.email)).where(sql`${table.emailVerified}`),
  ],
)

/** SHA-256 of an address. Only a cast is immutable, as an index needs it, and a cast to bytes reads backslashes. */
export function emailHash(email: AnyPgColumn): SQL {
  return sql`sha256(replace(${email}, '\\', '\\\\')::bytea)`
}

/** A member's identity at the single sign-on: (provider, subject), never the e-mail alone. */
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
    // One identity per member (record 016).
    uniqueIndex('identities_member').on(table.memberId, table.provider),
  ],
)
