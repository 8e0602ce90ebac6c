import { index, text, timestamp } from 'drizzle-orm/pg-core'
import { sso } from '../../db/schema-name.ts'

/** Requests of account-server that were granted, until they expire: each gives one ticket. */
export const cloudTicketRequests = sso.table(
  'cloud_ticket_requests',
  {
    /** `jti` of the request. */
    tokenId: text('token_id').primaryKey(),
    /** Not before the request itself expires. */
    expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
  },
  (table) => [index('cloud_ticket_requests_expiry').on(table.expiresAt)],
)
