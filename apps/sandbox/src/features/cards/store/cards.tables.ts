import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, json, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { faultsTable } from '../../provider-kit/faults.ts'
import { sandbox } from '../../provider-kit/schema-name.ts'
import type { Right } from '../wire/access.rules.ts'
import type { AfterRetries } from './retries.rules.ts'
import type { Stored } from './stored.ts'

/** The card provider's data: one row per object, complete, with the columns that lists filter by. */
export const cardObjects = sandbox.table(
  'card_objects',
  {
    id: text('id').primaryKey(),
    /** Orders lists newest first, even within a second. */
    place: bigint('place', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    kind: text('kind').$type<Stored['kind']>().notNull(),
    /** Epoch seconds. */
    created: bigint('created', { mode: 'number' }).notNull(),
    isDeleted: boolean('is_deleted').notNull().default(false),
    customer: text('customer'),
    email: text('email'),
    paymentMethod: text('payment_method'),
    /** Of a charge or a setup attempt: its intent. */
    intent: text('intent'),
    eventType: text('event_type'),
    /** Token of the bank's page while it waits for the cardholder. */
    challengeToken: text('challenge_token'),
    /** Of a price. */
    lookupKey: text('lookup_key'),
    /** Of a price. */
    product: text('product'),
    /** Of an invoice or invoice item. */
    subscription: text('subscription'),
    /** Of an invoice item or invoice payment: what it is on. */
    invoice: text('invoice'),
    /** Of a subscription, an invoice or an invoice payment. */
    status: text('status'),
    /** Epoch seconds of what the provider does next of its own accord, such as a renewal; null if nothing. */
    dueAt: bigint('due_at', { mode: 'number' }),
    /** Not jsonb, which would reorder the fields. */
    stored: json('kept').$type<Stored>().notNull(),
  },
  (table) => [
    index('card_objects_of_kind').on(table.kind, table.place.desc()),
    index('card_objects_of_customer').on(table.customer, table.kind, table.place.desc()),
    index('card_objects_of_email').on(table.email).where(sql`${table.email} is not null`),
    uniqueIndex('card_objects_challenge').on(table.challengeToken),
    uniqueIndex('card_objects_lookup_key').on(table.lookupKey),
    index('card_objects_of_product').on(table.product).where(sql`${table.product} is not null`),
    index('card_objects_of_subscription')
      .on(table.subscription, table.kind, table.place.desc())
      .where(sql`${table.subscription} is not null`),
    index('card_objects_of_invoice').on(table.invoice).where(sql`${table.invoice} is not null`),
    index('card_objects_due').on(table.dueAt, table.place).where(sql`${table.dueAt} is not null`),
  ],
)

/** The reply to an idempotency key, stored for a day. */
export const cardReplies = sandbox.table('card_replies', {
  key: text('key').primaryKey(),
  path: text('path').notNull(),
  /** SHA-256 of the parameters: the key is refused with others. */
  parameters: text('parameters').notNull(),
  requestId: text('request_id').notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  /** Null while the first request is under way. */
  status: integer('status'),
  body: json('body').$type<object>(),
})

/** One row per event and subscribed endpoint. */
export const cardDeliveries = sandbox.table(
  'card_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: text('event_id')
      .notNull()
      .references(() => cardObjects.id),
    endpointId: text('endpoint_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next; null once it was delivered or abandoned. */
    nextAt: timestamp('next_at', { withTimezone: true }),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
    /** The outcome of the last attempt. */
    outcome: text('outcome').notNull().default('waiting'),
  },
  (table) => [
    index('card_deliveries_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('card_deliveries_of_event').on(table.eventId),
  ],
)

/** Secret keys that were issued, beside the one that every sandbox has. */
export const cardKeys = sandbox.table('card_keys', {
  key: text('key').primaryKey(),
  /** Of a restricted key; null for all. */
  rights: json('rights').$type<Right[]>(),
})

/** One row: settings of the vendor's account that have no API. Without it, the defaults apply. */
export const cardSettings = sandbox.table('card_settings', {
  id: integer('id').primaryKey().default(1),
  /** Days between the attempts to collect an invoice, after the first. */
  retryDays: json('retry_days').$type<number[]>().notNull(),
  /** What happens to the subscription when all have failed. */
  afterRetries: text('after_retries').$type<AfterRetries>().notNull(),
})

export const cardFaults = faultsTable('card_faults')
