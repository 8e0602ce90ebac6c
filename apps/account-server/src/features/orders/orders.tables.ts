import { orderStatuses } from '@atrium/contract/orders.ts'
import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  char,
  customType,
  index,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'

const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' })

/** A product line of an order. Amounts are minor units of the order's currency, null where nobody knows them. */
export interface OrderLine {
  text: string
  /** Of the catalogue; empty: none. */
  productCode: string
  amount: number | null
}

/** Who an invoice is made out to: as it was when the order completed. */
export interface Buyer {
  name: string
  company: string
  email: string
  /** Street, city, state and postal code, a line each. */
  address: readonly string[]
  /** ISO 3166-1 alpha-2, or empty. */
  country: string
}

/** The texts as JSON writes them, `["one", "two \\"x\\""]`, without what is JSON's and not theirs. Only what is immutable may generate. */
const searchedText = sql.raw(
  String.raw`lower(order_number || chr(10) || invoice_number || chr(10) || regexp_replace(replace(substr(jsonb_path_query_array(lines, '$[*].text')::text, 3, greatest(length(jsonb_path_query_array(lines, '$[*].text')::text) - 4, 0)), '", "', chr(10)), '\\(["\\])', '\1', 'g'))`,
)

/** Orders made in the store: imported, or charged by Atrium. */
export const orders = account.table(
  'orders',
  {
    orderNumber: text('order_number').primaryKey(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    /** Empty: none. */
    invoiceNumber: text('invoice_number').notNull(),
    status: text('status', { enum: orderStatuses }).notNull(),
    lines: jsonb('lines').$type<readonly OrderLine[]>().notNull(),
    /** Minor units of `currency`, tax included. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /** Part of `amount`; null where nobody knows it. */
    tax: bigint('tax', { mode: 'number' }),
    currency: char('currency', { length: 3 }).notNull(),
    date: timestamp('date', { withTimezone: true }).notNull(),
    /** `charged`: by Atrium, which then writes its invoice. */
    origin: text('origin', { enum: ['imported', 'charged'] }).notNull(),
    /** Of an order that Atrium charged. */
    buyer: jsonb('buyer').$type<Buyer>(),
    /** Address of the vendor's own PDF, which is fetched once; empty: none. */
    invoiceUrl: text('invoice_url').notNull(),
    /** What a search looks through, in lower case: the numbers and the lines' texts, a line each, as they are written. */
    searched: text('searched')
      .notNull()
      .generatedAlwaysAs((): SQL => searchedText),
  },
  (table) => [
    index('orders_of_member').on(table.memberId, table.date.desc(), table.orderNumber.desc()),
    index('orders_of_member_by_status').on(table.memberId, table.status, table.date.desc(), table.orderNumber.desc()),
    uniqueIndex('orders_invoice_number').on(table.invoiceNumber).where(sql`${table.invoiceNumber} <> ''`),
  ],
)

/** Written once, never changed. */
export const invoiceFiles = account.table(
  'invoice_files',
  {
    orderNumber: text('order_number')
      .notNull()
      .references(() => orders.orderNumber),
    kind: text('kind', { enum: ['invoice', 'pro_forma', 'summary'] }).notNull(),
    pdf: bytes('pdf').notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderNumber, table.kind] })],
)

/** Orders made outside the store: imported, read-only. */
export const offlineOrders = account.table(
  'offline_orders',
  {
    orderNumber: text('order_number').primaryKey(),
    memberId: uuid('member_id')
      .notNull()
      .references(() => members.id),
    lines: text('lines').array().notNull(),
    /** Minor units of `currency`. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    currency: char('currency', { length: 3 }).notNull(),
    date: timestamp('date', { withTimezone: true }).notNull(),
  },
  (table) => [index('offline_orders_of_member').on(table.memberId, table.date.desc(), table.orderNumber.desc())],
)
