import { index, integer, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import type { PopupPurpose } from '../../popup-wire.ts'
import { users } from '../accounts/accounts.tables.ts'

/** What an emailed code is good for: what a popup is used for, or signing in again without a password. */
export type CodePurpose = PopupPurpose | 'sign-in'

/** A popup of the account page that has presented a valid token. */
export const popupSessions = sso.table(
  'popup_sessions',
  {
    /** SHA-256 of the popup's id. */
    hash: text('hash').primaryKey(),
    /** What it may be used for. */
    purpose: text('purpose').$type<PopupPurpose>().notNull().default('password-reset'),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** The token's id, unique so that no token opens two popups. */
    tokenId: text('token_id').notNull(),
    /** Wrong current passwords so far. */
    failures: integer('failures').notNull().default(0),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    uniqueIndex('popup_sessions_token').on(table.tokenId),
    index('popup_sessions_expiry').on(table.expiresAt),
  ],
)

/** The newest six-digit code of an account without a password, for one purpose. */
export const emailCodes = sso.table('email_codes', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  purpose: text('purpose').$type<CodePurpose>().notNull().default('password-reset'),
  /** A keyed hash of the code, its account and its purpose: the code is short enough to be guessed from a plain one. */
  hash: text('hash').notNull(),
  triesLeft: integer('tries_left').notNull(),
  sentAt: timestamp('sent_at', { withTimezone: true }).notNull(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})
