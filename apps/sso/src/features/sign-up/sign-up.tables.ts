import { index, integer, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** An account that somebody asked for. It comes into being when the link in our mail is followed, not before. */
export const signUps = sso.table(
  'sign_ups',
  {
    id: text('id').primaryKey(),
    /** Lower case. Several may wait for one address; the first confirmed wins. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    passwordHash: text('password_hash').notNull(),
    locale: text('locale').notNull(),
    /** Where the visitor wanted to go: a registered service, or nothing. */
    service: text('service'),
    /** SHA-256 of the link's token; set when the mail is written. */
    tokenHash: text('token_hash'),
    /** Passwords that may still be tried on the link. */
    triesLeft: integer('tries_left').notNull().default(5),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('sign_ups_token').on(table.tokenHash),
    index('sign_ups_email').on(table.email),
    index('sign_ups_expiry').on(table.expiresAt),
  ],
)
