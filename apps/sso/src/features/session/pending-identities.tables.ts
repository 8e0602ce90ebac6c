import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { boolean, index, integer, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import type { TicketMethod } from '../../wire.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** Where the browser goes once it is signed in. */
export const destinationColumns = {
  /** A registered service, exactly as requested; null: the account page. */
  service: text('service'),
  method: text('method').$type<TicketMethod>().notNull(),
  locale: text('locale').notNull(),
}

/** A new identity of a login provider, until the person proves which account it belongs to. It ends with the session of its browser. */
export const pendingIdentities = sso.table(
  'pending_identities',
  {
    /** SHA-256 of its id. */
    hash: text('hash').primaryKey(),
    /** SHA-256 of the browser's id. */
    browserHash: text('browser_hash').notNull(),
    provider: text('provider').$type<ProviderName>().notNull(),
    authority: text('authority').notNull(),
    subject: text('subject').notNull(),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    institution: text('institution'),
    ...destinationColumns,
    /** The address that the latest code was sent to, and a keyed hash of the code. */
    codeEmail: text('code_email'),
    codeHash: text('code_hash'),
    codeSentAt: moment('code_sent_at'),
    codeExpiresAt: moment('code_expires_at'),
    triesLeft: integer('tries_left').notNull().default(0),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('pending_identities_expiry').on(table.expiresAt)],
)
