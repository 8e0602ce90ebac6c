import { index, integer, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** A pending sign-up. The account is created when the emailed link is confirmed. */
export const signUps = sso.table(
  'sign_ups',
  {
    id: text('id').primaryKey(),
    /** Lower case. One address may have several; the first one confirmed wins. */
    email: text('email').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    passwordHash: text('password_hash').notNull(),
    locale: text('locale').notNull(),
    /** The registered service that the visitor came from, if any. */
    service: text('service'),
    /** SHA-256 of the link's token; set when the email is sent. */
    tokenHash: text('token_hash'),
    /** Remaining password tries of the link. */
    triesLeft: integer('tries_left').notNull().default(5),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('sign_ups_token').on(table.tokenHash),
    index('sign_ups_email').on(table.email),
    index('sign_ups_expiry').on(table.expiresAt),
  ],
)
