import { sql } from 'drizzle-orm'
import { boolean, index, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import { sessions } from '../accounts/accounts.tables.ts'

/**
 * A service ticket. It is looked up by its hash, so that a copy of the table opens nothing. Single logout has to name
 * the ticket again, hours later: for that one message it is also kept encrypted with a key from the settings, as long
 * as its session lives.
 */
export const tickets = sso.table(
  'tickets',
  {
    hash: text('hash').primaryKey(),
    sealed: text('sealed').notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** To the letter as it was asked for. */
    service: text('service').notNull(),
    /** Issued because a password was just given, not because a session was there. */
    fromNewLogin: boolean('from_new_login').notNull(),
    issuedAt: timestamp('issued_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** The one attempt to validate it, whatever came of it. */
    attemptedAt: timestamp('attempted_at', { withTimezone: true }),
    /** That attempt was good: the service has a session of ours, and is told when it ends. */
    accepted: boolean('accepted').notNull().default(false),
  },
  (table) => [
    index('tickets_session').on(table.sessionId),
    index('tickets_untaken').on(table.expiresAt).where(sql`not ${table.accepted}`),
  ],
)
