import type { SeatType } from '@atrium/contract/seat-types.ts'
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import { subscriptions } from './subscriptions.tables.ts'

/** The users of a subscription. A removed seat stays, so that its devices are known to be inactive. */
export const seats = account.table(
  'seats',
  {
    /** On the wire: `distributionUuid`. */
    id: uuid('id').primaryKey().defaultRandom(),
    subscriptionId: text('subscription_id')
      .notNull()
      .references(() => subscriptions.id),
    /** Lower case: the invited address. */
    email: text('email').notNull(),
    /** Null until the invitation is accepted. */
    memberId: uuid('member_id').references(() => members.id),
    /** 0 Member, 1 Admin, 2 Owner, 3 Setup Admin (001 §4). The Owner's row moves with `subscriptions.member_id`. */
    type: integer('type').$type<SeatType>().notNull(),
    status: text('status', { enum: ['Pending', 'Accepted'] }).notNull(),
    /** Whether it holds a license. */
    isUse: boolean('is_use').notNull(),
    invitedAt: timestamp('invited_at', { withTimezone: true }).notNull(),
    removedAt: timestamp('removed_at', { withTimezone: true }),
    /** What a file said of it last; null: nothing. Said again, it changes nothing, whatever the team has made of the seat since. */
    importedAs: text('imported_as'),
  },
  (table) => [
    check('seats_type', sql`${table.type} between 0 and 3`),
    uniqueIndex('seats_one_an_address').on(table.subscriptionId, table.email).where(sql`${table.removedAt} is null`),
    uniqueIndex('seats_one_owner')
      .on(table.subscriptionId)
      .where(sql`${table.type} = 2 and ${table.removedAt} is null`),
    index('seats_of_member').on(table.memberId, table.subscriptionId),
  ],
)
