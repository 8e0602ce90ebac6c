import type { ProviderName } from '@atrium/contract/login-providers.ts'
import { index, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'
import { users } from '../accounts/accounts.tables.ts'
import { destinationColumns } from '../session/pending-identities.tables.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

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
    ...destinationColumns,
    expiresAt: moment('expires_at').notNull(),
  },
  (table) => [index('provider_flows_expiry').on(table.expiresAt), index('provider_flows_user').on(table.userId)],
)
