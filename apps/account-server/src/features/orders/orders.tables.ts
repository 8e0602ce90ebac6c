import type { LocaleCode } from '@atrium/contract/locale.ts'
import { orderStatuses } from '@atrium/contract/orders.ts'
import { type SQL, sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  char,
  index,
  jsonb,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes } from '../../db/bytes.ts'
import { members } from '../../db/members.tables.ts'
import { account } from '../../db/schema-name.ts'
import type { DeclinedPayment } from '../../outside/billed-invoice.ts'

/** What a line of a provider's invoice is about, to be worded in any language (`line-words.rules.ts`). */
export interface LineFacts {
  /** `period`: a subscription's period. `credit`, `remaining`: what a change gives back of it, and charges for the rest of it. */
  kind: 'once' | 'period' | 'setupFee' | 'credit' | 'remaining' | 'discount'
  /** Its name when it was billed; empty for a discount. */
  product: string
  quantity: number
  /** ISO 8601. */
  from: string
  to: string
}

/** A product line of an order. Amounts are minor units of the order's currency, null if unknown. */
export interface OrderLine {
  /** In the order's language, as on its invoice. */
  text: string
  /** Left out for a line that came as free text. */
  facts?: LineFacts
  /** From the catalog; empty if there is none. */
  productCode: string
  amount: number | null
}

/** In minor units, when (ISO 8601), and the number under which it was read. What gives nothing back has the amount 0. */
export type RefundParts = Readonly<Record<string, { amount: number; at: string; syncNumber: number }>>

/** The recipient of an invoice, as of the order's completion. */
export interface Buyer {
  name: string
  company: string
  email: string
  /** Street, city, state and postal code, one per line. */
  address: readonly string[]
  /** ISO 3166-1 alpha-2, or empty. */
  country: string
  taxIds?: readonly string[]
  /** The buyer accounts for the tax. */
  isReverseCharge?: boolean
}

/** The texts of the lines from their JSON, without its syntax. A generated column may only use immutable functions. */
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
    /** What was charged, or will be, in minor units of `currency`, tax included. */
    amount: bigint('amount', { mode: 'number' }).notNull(),
    /** Of the invoice, tax included, before the balance of the customer's account; null: `amount`. */
    total: bigint('total', { mode: 'number' }),
    /** Part of the total; null if unknown. */
    tax: bigint('tax', { mode: 'number' }),
    currency: char('currency', { length: 3 }).notNull(),
    date: timestamp('date', { withTimezone: true }).notNull(),
    /** `charged`: through a provider, and Atrium writes the invoice. A payment before the take-over is `imported`. */
    origin: text('origin', { enum: ['imported', 'charged'] }).notNull(),
    /** The provider's invoice, and its number; empty for other orders. */
    providerId: text('provider_id').notNull().default(''),
    providerNumber: text('provider_number').notNull().default(''),
    /** The provider's subscription; empty for other orders. */
    providerSubscriptionId: text('provider_subscription_id').notNull().default(''),
    /** Whether its subscription is past due, or it was declined beside the periods of one that is not: nothing has failed of a change that waits for its payment, and a pending order is not due while the provider holds its payment back. */
    isDue: boolean('is_due').notNull().default(false),
    /** Whether its subscription ended before it was paid. */
    isEnded: boolean('is_ended').notNull().default(false),
    /** Whether its subscription was bought through a partner: its amounts are shown nowhere (`shownOrder`). */
    isPriceHidden: boolean('is_price_hidden').notNull().default(false),
    /** Whether it is of a change of its subscription within a period. */
    isOfChange: boolean('is_of_change').notNull().default(false),
    /** The provider's page on which its open invoice is paid; empty: it is paid, or not to be paid here. */
    payUrl: text('pay_url').notNull().default(''),
    /** The payment that was declined last, while it is open; null: none was, or it is not known. */
    lastDecline: jsonb('last_decline').$type<DeclinedPayment>(),
    /** The number under which the provider was read for this row. */
    syncNumber: bigint('sync_number', { mode: 'number' }).notNull().default(0),
    /** What the provider gave back of `amount` so far, and when it last did; null: nothing. */
    refundedAmount: bigint('refunded_amount', { mode: 'number' }).notNull().default(0),
    refundedAt: timestamp('refunded_at', { withTimezone: true }),
    /** The number under which the refunds were read: they change apart from the invoice. */
    refundSyncNumber: bigint('refund_sync_number', { mode: 'number' }).notNull().default(0),
    /** By its id, each refund of a provider that does not say how much it gave back altogether. */
    refundParts: jsonb('refund_parts').$type<RefundParts>().notNull().default({}),
    /** When the email with what was paid was queued; null: not yet, or it gets none. */
    receiptEmailedAt: timestamp('receipt_emailed_at', { withTimezone: true }),
    /** Language of the lines, and of the invoice; null: unknown. */
    locale: text('locale').$type<LocaleCode>(),
    /** Of an order that Atrium charged. */
    buyer: jsonb('buyer').$type<Buyer>(),
    /** Address of the vendor's PDF, which is fetched once; empty: none. */
    invoiceUrl: text('invoice_url').notNull(),
    /** The searched text in lower case: the numbers and the line texts, one per line. */
    searched: text('searched')
      .notNull()
      .generatedAlwaysAs((): SQL => searchedText),
  },
  (table) => [
    index('orders_of_member').on(table.memberId, table.date.desc(), table.orderNumber.desc()),
    index('orders_of_member_by_status').on(table.memberId, table.status, table.date.desc(), table.orderNumber.desc()),
    uniqueIndex('orders_provider_id').on(table.providerId).where(sql`${table.providerId} <> ''`),
    index('orders_of_subscription').on(table.providerSubscriptionId).where(sql`${table.providerSubscriptionId} <> ''`),
    index('orders_unpaid_of_subscription').on(table.providerSubscriptionId).where(sql`${table.status} in ('PD', 'OP')`),
    uniqueIndex('orders_invoice_number').on(table.invoiceNumber).where(sql`${table.invoiceNumber} <> ''`),
  ],
)

/** The last numbers given to orders and invoices. Counted under a lock, since invoice numbers may have no gaps. */
export const numberSeries = account.table('number_series', {
  name: text('name', { enum: ['order', 'invoice'] }).primaryKey(),
  last: bigint('last', { mode: 'number' }).notNull(),
})

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
