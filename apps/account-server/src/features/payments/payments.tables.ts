import { sql } from 'drizzle-orm'
import { index, integer, jsonb, text, timestamp, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

/** Who a member is at the card provider. Cards themselves live there alone. */
export const providerCustomers = account.table('provider_customers', {
  memberId: uuid('member_id')
    .primaryKey()
    .references(() => members.id),
  /** Null until the provider has answered: the row comes before the call. */
  customerId: text('customer_id').unique(),
  /** Idempotency key of the call that makes the customer. */
  idempotencyKey: text('idempotency_key').notNull(),
  /** As it was sent: a call that is repeated sends the same. */
  email: text('email').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** Of the billing address that the provider was told last. */
  addressPrint: text('address_print'),
  /** While somebody changes the member’s cards at the provider: one at a time, and no longer than this. */
  changingUntil: timestamp('changing_until', { withTimezone: true }),
  changing: uuid('changing'),
})

/**
 * Everything that changes something at a provider: the row is committed before the call, so that whatever happens
 * afterwards, somebody can find out what came of it. The id is the idempotency key of what must not be done twice.
 */
export const paymentAttempts = account.table(
  'payment_attempts',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** What it is for: `card.added`. It is the action of the activity row once it has succeeded. */
    purpose: text('purpose').notNull(),
    /** Key of the page’s act, and what was asked. */
    requestKey: text('request_key'),
    requestPrint: text('request_print'),
    paymentMethodId: text('payment_method_id').notNull(),
    /** The provider’s intent, once it is known. */
    intentId: text('intent_id').unique(),
    status: text('status', {
      enum: ['open', 'requires_action', 'succeeded', 'declined', 'canceled', 'refused', 'failed'],
    }).notNull(),
    /** Why it did not succeed: the code of the problem, and the provider’s sentence. */
    problem: text('problem'),
    detail: text('detail'),
    /** Before and after of fields that are no secrets, for the activity row. */
    details: jsonb('details').$type<Readonly<Record<string, unknown>>>().notNull().default({}),
    /** Where the request came from, for the activity row; null once it is old. */
    address: text('address'),
    requestId: text('request_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    declinedAt: timestamp('declined_at', { withTimezone: true }),
    /** How many cards were declined in it: with the intent's secret a browser can try more than one. */
    declines: integer('declines').notNull().default(0),
    /** When the reconciler looks at it next, unless it is settled by then. */
    lookAt: timestamp('look_at', { withTimezone: true }).notNull(),
    /** Null: something is left to do or to find out at the provider. */
    settledAt: timestamp('settled_at', { withTimezone: true }),
  },
  (table) => [
    index('payment_attempts_of_member').on(table.memberId, table.purpose, table.createdAt.desc()),
    uniqueIndex('payment_attempts_request').on(table.memberId, table.requestKey),
    index('payment_attempts_unsettled').on(table.lookAt).where(sql`${table.settledAt} is null`),
    // What retention looks for: what still has an address, and what came to nothing.
    index('payment_attempts_address').on(table.createdAt).where(sql`${table.address} is not null`),
    index('payment_attempts_in_vain').on(table.settledAt).where(sql`${table.status} in ('failed', 'refused')`),
  ],
)

export type Attempt = typeof paymentAttempts.$inferSelect

/** What the provider told, once each; kept for `PROVIDER_EVENT_DAYS`. */
export const providerEvents = account.table('provider_events', {
  /** The provider’s own id of the event. */
  id: text('id').primaryKey(),
  type: text('type').notNull(),
  /** What it is about. */
  objectId: text('object_id').notNull(),
  receivedAt: timestamp('received_at', { withTimezone: true }).notNull(),
})
