import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, json, primaryKey, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { faultsTable } from '../../provider-kit/faults.ts'
import { sandbox } from '../../provider-kit/schema-name.ts'
import type { Stored } from './stored.ts'

/** The PayPal-type provider's data: one row per object, complete, with the columns that are searched. */
export const paypalObjects = sandbox.table(
  'paypal_objects',
  {
    id: text('id').primaryKey(),
    /** Orders lists, even within a second. */
    place: bigint('place', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    kind: text('kind').$type<Stored['kind']>().notNull(),
    /** Business time. */
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** The object to which it belongs: of a plan its product, of a sale its subscription, of a refund its payment. */
    parent: text('parent'),
    /** Token of the approval page while it waits for the buyer. */
    approvalToken: text('approval_token'),
    /** When the provider acts next on its own, in business time: a renewal, a retry, an end. */
    dueAt: timestamp('due_at', { withTimezone: true }),
    /** The merchant's own number of a captured payment. */
    invoiceId: text('invoice_id'),
    isDeleted: boolean('is_deleted').notNull().default(false),
    /** Not jsonb, which would reorder the fields. */
    stored: json('stored').$type<Stored>().notNull(),
  },
  (table) => [
    index('paypal_objects_of_kind').on(table.kind, table.place.desc()),
    index('paypal_objects_of_parent').on(table.parent, table.kind, table.place.desc()),
    index('paypal_objects_due').on(table.dueAt, table.place).where(sql`${table.dueAt} is not null`),
    uniqueIndex('paypal_objects_approval').on(table.approvalToken),
    // PayPal refuses a second payment with the same invoice number, also when both come at once.
    uniqueIndex('paypal_objects_invoice').on(table.invoiceId),
  ],
)

/** The answer to a request id, so that a repeated request has no second effect. */
export const paypalReplies = sandbox.table(
  'paypal_replies',
  {
    requestId: text('request_id').notNull(),
    /** Method and path: an id counts for one operation. */
    operation: text('operation').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    body: json('body').$type<object>(),
  },
  (table) => [primaryKey({ columns: [table.requestId, table.operation] })],
)

/** Access tokens, valid on the wall clock. */
export const paypalTokens = sandbox.table('paypal_tokens', {
  token: text('token').primaryKey(),
  expiresAt: timestamp('expires_at', { withTimezone: true }).notNull(),
})

/** One row per event and subscribed webhook. */
export const paypalDeliveries = sandbox.table(
  'paypal_deliveries',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    eventId: text('event_id')
      .notNull()
      .references(() => paypalObjects.id),
    webhookId: text('webhook_id').notNull(),
    /** `paypal-transmission-id`, the same for every attempt. */
    transmissionId: text('transmission_id').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** When it is tried next, on the wall clock; null once it was delivered or abandoned. */
    nextAt: timestamp('next_at', { withTimezone: true }),
    deliveredAt: timestamp('delivered_at', { withTimezone: true }),
    /** The outcome of the last attempt. */
    outcome: text('outcome').notNull().default('waiting'),
  },
  (table) => [
    index('paypal_deliveries_due').on(table.nextAt).where(sql`${table.nextAt} is not null`),
    index('paypal_deliveries_of_event').on(table.eventId),
  ],
)

export const paypalFaults = faultsTable('paypal_faults')

/** The certificates that vouch for the signatures of events. One root and one intermediate; the newest leaf signs. */
export const paypalCertificates = sandbox.table(
  'paypal_certificates',
  {
    /** Last part of its address. */
    id: text('id').primaryKey(),
    place: bigint('place', { mode: 'number' }).generatedAlwaysAsIdentity().notNull(),
    role: text('role').$type<'root' | 'intermediate' | 'leaf'>().notNull(),
    /** PEM. */
    certificate: text('certificate').notNull(),
    /** PKCS 8, PEM. */
    privateKey: text('private_key').notNull(),
  },
  (table) => [uniqueIndex('paypal_certificates_authority').on(table.role).where(sql`${table.role} <> 'leaf'`)],
)
