import { index, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import type { JWK } from 'jose'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

export const sessions = account.table(
  'sessions',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** SHA-256 of the cookie's token, hex: a copy of the database opens no session. */
    tokenHash: text('token_hash').notNull().unique(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** The member's subject at the single sign-on, for tokens addressed to it. */
    subject: text('subject').notNull(),
    /** SHA-256 of the service ticket, hex, by which single logout finds it. */
    ticketHash: text('ticket_hash').notNull(),
    /** As the browser sent it when it signed in, at most 400 characters; empty: none. */
    userAgent: text('user_agent').notNull().default(''),
    /** The network address that signed in; null: unknown. */
    address: text('address'),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When the person entered the credentials with which it began; null: it began with a session of the single sign-on. */
    freshAt: timestamp('fresh_at', { withTimezone: true }),
    /** Written at most once a minute. */
    seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
  },
  (table) => [
    index('sessions_ticket_hash').on(table.ticketHash),
    index('sessions_member').on(table.memberId),
    index('sessions_seen_at').on(table.seenAt),
  ],
)

/** The key that signs tokens for other programs; created on demand, shared by all copies. */
export const signingKeys = account.table('signing_keys', {
  id: text('id').primaryKey(),
  /** A private JWK (Ed25519). */
  privateKey: jsonb('private_key').$type<JWK>().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
})
