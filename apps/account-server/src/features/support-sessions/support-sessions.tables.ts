import { index, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

const moment = (name: string) => timestamp(name, { withTimezone: true })

/** Who a support agent is, and by which cookie and ticket. */
const agent = () => ({
  id: uuid('id').primaryKey().defaultRandom(),
  /** SHA-256 of the cookie's token, hex. */
  tokenHash: text('token_hash').notNull().unique(),
  /** SHA-256 of the service ticket, hex, by which single logout finds it. */
  ticketHash: text('ticket_hash').notNull(),
  /** The agent's subject at the single sign-on. */
  agentSubject: text('agent_subject').notNull(),
  /** As the members read it. */
  agentName: text('agent_name').notNull(),
})

/** A support agent who has signed in and not chosen an account yet; used up by the start of a support session. */
export const supportSignIns = account.table(
  'support_sign_ins',
  { ...agent(), createdAt: moment('created_at').notNull() },
  (table) => [index('support_sign_ins_ticket').on(table.ticketHash)],
)

/** A support agent in a member's account. */
export const supportSessions = account.table(
  'support_sessions',
  {
    ...agent(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    reason: text('reason').notNull(),
    /** The ticket's number in the vendor's own system. */
    ticket: text('ticket').notNull(),
    startedAt: moment('started_at').notNull(),
    /** An hour after the start, or the end of the grant if that is sooner. */
    endsAt: moment('ends_at').notNull(),
    /** Null until it was ended, or its time was up and its end recorded. */
    endedAt: moment('ended_at'),
  },
  (table) => [
    index('support_sessions_member').on(table.memberId, table.endsAt),
    index('support_sessions_ticket').on(table.ticketHash),
    index('support_sessions_ends_at').on(table.endsAt),
  ],
)
