import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { boolean, index, integer, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import type { TicketMethod } from '../../wire.ts'
import { users } from '../accounts/accounts.tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** Where the browser goes once it is signed in. */
const destination = {
  /** A registered service, exactly as requested; null: the account page. */
  service: text('service'),
  method: text('method').$type<TicketMethod>().notNull(),
  locale: text('locale').notNull(),
}

/** A browser that was sent to a provider. The row is deleted when the answer is redeemed, so that it works once. */
export const providerFlows = sso.table(
  'provider_flows',
  {
    /** SHA-256 of `state`. */
    stateHash: text('state_hash').primaryKey(),
    /** SHA-256 of the id of the browser that began. */
    browserHash: text('browser_hash').notNull(),
    provider: text('provider').$type<ProviderName>().notNull(),
    /** The account to link; null for a sign-in. */
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    /** Of the password with which its owner authenticated again (`fingerprint`): a new one ends the link. Null for a sign-in. */
    passwordFingerprint: text('password_fingerprint'),
    nonce: text('nonce').notNull(),
    /** The code verifier (PKCE), encrypted. */
    sealedVerifier: text('sealed_verifier').notNull(),
    ...destination,
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('provider_flows_expiry').on(table.expiresAt), index('provider_flows_user').on(table.userId)],
)

/** A new identity, until the person proves which account it belongs to. */
export const pendingIdentities = sso.table(
  'pending_identities',
  {
    /** SHA-256 of its id. */
    hash: text('hash').primaryKey(),
    browserHash: text('browser_hash').notNull(),
    provider: text('provider').$type<ProviderName>().notNull(),
    authority: text('authority').notNull(),
    subject: text('subject').notNull(),
    email: text('email'),
    emailVerified: boolean('email_verified').notNull(),
    firstName: text('first_name').notNull(),
    lastName: text('last_name').notNull(),
    institution: text('institution'),
    ...destination,
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
