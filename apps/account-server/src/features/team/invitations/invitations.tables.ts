import { sql } from 'drizzle-orm'
import { index, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import { seats } from '../../subscriptions/seats.tables.ts'
import { subscriptions } from '../../subscriptions/subscriptions.tables.ts'

/** Every invitation that was mailed. The latest of a seat is the valid one, until the seat's invitation lapses (`seats.invitedAt`). */
export const invitations = account.table(
  'invitations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    /** SHA-256 of the token in the link. */
    tokenHash: text('token_hash').notNull().unique(),
    seatId: uuid('seat_id')
      .notNull()
      .references(() => seats.id),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    /** The address it was sent to, in lower case. */
    email: text('email').notNull(),
    invitedBy: uuid('invited_by')
      .notNull()
      .references(() => members.id),
    /** Real time: the limits of emails count it. */
    sentAt: timestamp('sent_at', { withTimezone: true }).notNull(),
    /** Why its link is void; null: it is not. */
    ended: text('ended', { enum: ['accepted', 'withdrawn', 'replaced', 'lapsed'] }),
  },
  (table) => [
    index('invitations_of_subscription').on(table.subscriptionId, table.sentAt),
    index('invitations_of_address').on(table.email, table.sentAt),
    index('invitations_open').on(table.seatId).where(sql`${table.ended} is null`),
  ],
)

export type InvitationEnd = NonNullable<(typeof invitations.$inferSelect)['ended']>
