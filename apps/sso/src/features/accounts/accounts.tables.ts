import { boolean, index, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** The four tables of better-auth, which prescribes the names of these columns. */
export const users = sso.table(
  'users',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    /** Lower case. */
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    image: text('image'),
    firstName: text('first_name').notNull().default(''),
    lastName: text('last_name').notNull().default(''),
    /** The language of emails: a code such as `de-de`. */
    locale: text('locale').notNull().default('en-us'),
    /** Ours: what the account may do at services beside signing in, such as `support`. Set by an operator. */
    roles: text('roles').array().notNull().default([]),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('users_email').on(table.email)],
)

export const sessions = sso.table(
  'sessions',
  {
    id: text('id').primaryKey(),
    /** SHA-256 of the cookie's token. */
    token: text('token').notNull(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Ours: the language that the person chose on our pages when they signed in; null if it is the service's. */
    chosenLocale: text('chosen_locale'),
    /** Ours: SHA-256 of the browser's id; null before it had one. */
    browser: text('browser'),
    /** When the password was entered. The absolute lifetime starts here. */
    createdAt: moment('created_at').notNull(),
    /** Last use, updated at most once a minute. */
    updatedAt: moment('updated_at').notNull(),
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [
    uniqueIndex('sessions_token').on(table.token),
    index('sessions_user').on(table.userId),
    index('sessions_browser').on(table.browser),
    index('sessions_expiry').on(table.expiresAt),
  ],
)

/** How a user can sign in: `credential` is the password, others are login providers. */
export const accounts = sso.table(
  'accounts',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id').notNull(),
    providerId: text('provider_id').notNull(),
    /** Who vouches for `accountId`: an issuer, a tenant's issuer, or an issuer and an institution. Empty for a password. */
    authority: text('authority').notNull().default(''),
    /** The person's address at the provider when it was linked, shown to tell identities apart. */
    email: text('email'),
    /** Name of the institution of an education federation. */
    institution: text('institution'),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    accessToken: text('access_token'),
    refreshToken: text('refresh_token'),
    idToken: text('id_token'),
    accessTokenExpiresAt: moment('access_token_expires_at'),
    refreshTokenExpiresAt: moment('refresh_token_expires_at'),
    scope: text('scope'),
    password: text('password'),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  // Identity is (provider, authority, subject), never the e-mail address.
  (table) => [
    uniqueIndex('accounts_identity').on(table.providerId, table.authority, table.accountId),
    index('accounts_user').on(table.userId),
  ],
)

/** Hashes of single-use tokens sent by email. */
export const verifications = sso.table(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: moment('expires_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
    updatedAt: moment('updated_at').notNull().defaultNow(),
  },
  (table) => [
    index('verifications_identifier').on(table.identifier),
    index('verifications_value').on(table.value),
    index('verifications_expiry').on(table.expiresAt),
  ],
)
