import { type SQL, sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, check, index, integer, jsonb, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { members } from '../../../db/members.tables.ts'
import { account } from '../../../db/schema-name.ts'
import type { OperationKind } from './operation-kinds.ts'

/**
 * One row for each thing that a provider is asked to do once. The row is committed before the call, and its id is the
 * provider's idempotency key. Request, webhook or reconciler: the first to know the outcome resolves it.
 */
export const providerOperations = account.table(
  'provider_operations',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    provider: text('provider', { enum: ['card', 'paypal'] }).notNull(),
    kind: text('kind').$type<OperationKind>().notNull(),
    /** What it is about, in the noun's terms: a payment method, a subscription. */
    subject: text('subject').notNull(),
    /** Minor units and ISO 4217, where money moves. */
    amount: integer('amount'),
    currency: text('currency'),
    /** The provider's object, once it is known. */
    objectId: text('object_id'),
    /** What was decided, as the definition's schema has it. */
    input: jsonb('input').$type<unknown>().notNull(),
    /** What came of it, as the definition's schema has it. */
    result: jsonb('result').$type<unknown>().notNull().default({}),
    status: text('status', { enum: ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] }).notNull(),
    /** Unless it succeeded: the problem code, and the provider's sentence. */
    problem: text('problem'),
    detail: text('detail'),
    /** Of a declined card: the provider's code, for support; null: it gave none. */
    declineCode: text('decline_code'),
    /** The operation whose outcome made this one necessary. */
    parentId: uuid('parent_id'),
    /** Whether the parent is complete only when this one is resolved. */
    isRequired: boolean('is_required').notNull().default(true),
    /** The request's network address, for the activity row; set to null by retention. */
    address: text('address'),
    requestId: text('request_id').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
    /** When the provider was last called, or is about to be; null: not yet. */
    calledAt: timestamp('called_at', { withTimezone: true }),
    /** When the reconciler checks it next, unless it is resolved. */
    nextCheckAt: timestamp('next_check_at', { withTimezone: true }).notNull(),
    /** When the customer's time for the required action is up. */
    givesUpAt: timestamp('gives_up_at', { withTimezone: true }),
    /** Null: something is left to do or to find out at the provider. */
    resolvedAt: timestamp('resolved_at', { withTimezone: true }),
  },
  (table) => [
    index('provider_operations_of_member').on(table.memberId, table.kind, table.createdAt.desc()),
    index('provider_operations_object').on(table.objectId),
    index('provider_operations_parent').on(table.parentId),
    index('provider_operations_unresolved').on(table.nextCheckAt).where(sql`${table.resolvedAt} is null`),
    // For retention: rows that still have an address, and failed ones.
    index('provider_operations_address').on(table.createdAt).where(sql`${table.address} is not null`),
    index('provider_operations_failed').on(table.resolvedAt).where(sql`${table.status} = 'failed'`),
    index('provider_operations_coupon')
      .on(couponOf(table))
      .where(sql`${couponOf(table)} is not null`),
    check('provider_operations_money', sql`(${table.amount} is null) = (${table.currency} is null)`),
  ],
)

/** The coupon that an operation uses; null for most. */
export function couponOf({ input }: { input: AnyPgColumn }): SQL<string | null> {
  return sql`(${input} ->> 'couponCode')`
}

export type OperationRow = typeof providerOperations.$inferSelect
export type OperationStatus = OperationRow['status']
