import { sql } from 'drizzle-orm'
import { boolean, index, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import { sessions } from '../accounts/accounts.tables.ts'

/**
 * A service ticket. It is looked up by its hash, so a copy of the table gives no access. For single logout, which must
 * name the ticket hours later, it is also stored encrypted, as long as its session lasts.
 */
export const tickets = sso.table(
  'tickets',
  {
    hash: text('hash').primaryKey(),
    sealed: text('sealed').notNull(),
    sessionId: text('session_id')
      .notNull()
      .references(() => sessions.id, { onDelete: 'cascade' }),
    /** Exactly as requested. */
    service: text('service').notNull(),
    /** Issued after a password was entered, not from an existing session. */
    fromNewLogin: boolean('from_new_login').notNull(),
    issuedAt: timestamp('issued_at', { withTimezone: true }).notNull(),
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
    /** The only attempt to validate it, successful or not. */
    attemptedAt: timestamp('attempted_at', { withTimezone: true }),
    /** That attempt succeeded: the service is notified when the session ends. */
    accepted: boolean('accepted').notNull().default(false),
  },
  (table) => [
    index('tickets_session').on(table.sessionId),
    index('tickets_untaken').on(table.expiresAt).where(sql`not ${table.accepted}`),
  ],
)
