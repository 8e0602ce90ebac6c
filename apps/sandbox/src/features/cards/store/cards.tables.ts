import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, json, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { sandbox } from '../../../db/schema-name.ts'
import type { Stored } from './stored.ts'

/** Everything the card provider knows: one row an object, whole, with what lists are narrowed by beside it. */
export const cardObjects = sandbox.table(
  'card_objects',
  {
    id: text('id').primaryKey(),
    /** The order of lists: newest first, also within a second. */
    place: bigint('place', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    kind: text('kind').$type<Stored['kind']>().notNull(),
    /** Epoch seconds. */
    created: bigint('created', { mode: 'number' }).notNull(),
    isDeleted: boolean('is_deleted').notNull().default(false),
    customer: text('customer'),
    email: text('email'),
    paymentMethod: text('payment_method'),
    /** Whose attempt it is: of a charge, or of a setup's attempt. */
    intent: text('intent'),
    eventType: text('event_type'),
    /** Of the bank's page while it waits for the cardholder. */
    challengeToken: text('challenge_token'),
    /** Not jsonb: that would put the fields into another order. */
    stored: json('kept').$type<Stored>().notNull(),
  },
  (table) => [
    index('card_objects_of_kind').on(table.kind, table.place.desc()),
    index('card_objects_of_customer').on(table.customer, table.kind, table.place.desc()),
    index('card_objects_of_email').on(table.email).where(sql`${table.email} is not null`),
    uniqueIndex('card_objects_challenge').on(table.challengeToken),
  ],
)

/** What was answered under an idempotency key, for a day. */
export const cardReplies = sandbox.table('card_replies', {
  key: text('key').primaryKey(),
  path: text('path').notNull(),
  /** SHA-256 of the parameters: another use of the key is refused. */
  parameters: text('parameters').notNull(),
  requestId: text('request_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** None while the first use is under way. */
  status: integer('status'),
  body: json('body').$type<object>(),
})

/** One row for each event and address that wants it. */
export const cardDeliveries = sandbox.table(
  'card_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: text('event_id')
      .notNull()
      .references(() => cardObjects.id),
    endpointId: text('endpoint_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; none once it arrived or was given up. */
    nextAt: timestamp('next_at', { withTimezone: true }),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
    /** What came of the last attempt, in words. */
    outcome: text('outcome').notNull().default('waiting'),
  },
  (table) => [
    index('card_deliveries_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('card_deliveries_of_event').on(table.eventId),
  ],
)

/** How the stand-in was told to misbehave, until it has done so often enough. */
export const cardFaults = sandbox.table('card_faults', {
  id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  kind: text('kind').notNull(),
  /** Path below /v1, or type of an event; `*` stands for anything. */
  pattern: text('pattern').notNull(),
  remaining: integer('remaining').notNull(),
  /** Of a delay. */
  milliseconds: integer('milliseconds').notNull().default(0),
})
