import type { Member } from '@atrium/server-kit/caller.ts'
import { prepared, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import {
  and,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNull,
  lte,
  ne,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm'
import { invoiceFiles, orders } from './orders.tables.ts'

/**
 * Whether the vendor's PDF, or Atrium's invoice, is stored or can be fetched. Wrapped in another `sql`, since Drizzle omits the
 * table name in a select from one table.
 */
export function hasOwnFile(order: Record<'orderNumber' | 'invoiceUrl', SQLWrapper>): SQL<boolean> {
  const stored = sql`select 1 from ${invoiceFiles}
    where ${invoiceFiles.orderNumber} = ${order.orderNumber} and ${invoiceFiles.kind} = 'invoice'`
  return sql<boolean>`(${order.invoiceUrl} <> '' or exists (${stored}))`
}

/** A member's order by both numbers, with its files; undefined if they do not belong together. */
export async function orderOfMember(
  db: Reader,
  member: Pick<Member, 'id'>,
  { orderNum, invoiceNum }: { orderNum: string; invoiceNum: string },
) {
  const [row] = await oneOrder(db).execute({ memberId: member.id, orderNum, invoiceNum })
  return row
}

const oneOrder = prepared('order_by_numbers', (db, name) =>
  db
    .select({ ...getTableColumns(orders), hasOwnFile: hasOwnFile(orders) })
    .from(orders)
    .where(
      and(
        eq(orders.memberId, sql.placeholder('memberId')),
        eq(orders.orderNumber, sql.placeholder('orderNum')),
        eq(orders.invoiceNumber, sql.placeholder('invoiceNum')),
      ),
    )
    .prepare(name),
)

/** An order by its number, with its files, for a job. */
export async function orderByNumber(db: Reader, orderNumber: string) {
  const [row] = await db
    .select({ ...getTableColumns(orders), hasOwnFile: hasOwnFile(orders) })
    .from(orders)
    .where(eq(orders.orderNumber, orderNumber))
  return row
}

/** Locks an order if it belongs to the member; returns whether it does. */
export async function lockOrderOfMember(tx: Tx, member: Pick<Member, 'id'>, orderNumber: string): Promise<boolean> {
  const rows = await tx
    .select({ orderNumber: orders.orderNumber })
    .from(orders)
    .where(and(eq(orders.memberId, member.id), eq(orders.orderNumber, orderNumber)))
    .for('update')
  return rows.length > 0
}

type FileKind = (typeof invoiceFiles.$inferSelect)['kind']

/** A stored file of an order, or undefined. */
export async function storedFile(db: Reader, orderNumber: string, kind: FileKind): Promise<Buffer | undefined> {
  const [row] = await oneFile(db).execute({ orderNumber, kind })
  return row?.pdf
}

const oneFile = prepared('invoice_file', (db, name) =>
  db
    .select({ pdf: invoiceFiles.pdf })
    .from(invoiceFiles)
    .where(
      and(eq(invoiceFiles.orderNumber, sql.placeholder('orderNumber')), eq(invoiceFiles.kind, sql.placeholder('kind'))),
    )
    .prepare(name),
)

const atOnce = 1000

/** The numbers of completed orders that Atrium charged, whose invoice is not written yet. */
export async function invoicesToWrite(db: Reader): Promise<string[]> {
  const written = and(eq(invoiceFiles.orderNumber, orders.orderNumber), eq(invoiceFiles.kind, 'invoice'))
  const rows = await db
    .select({ orderNumber: orders.orderNumber })
    .from(orders)
    .leftJoin(invoiceFiles, written)
    .where(and(eq(orders.origin, 'charged'), eq(orders.status, 'CO'), isNull(invoiceFiles.orderNumber)))
    .limit(atOnce)
  return rows.map(({ orderNumber }) => orderNumber)
}

/** Which of a provider's payments, by its ids, have an order. */
export async function paymentsWithOrder(db: Reader, providerIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (providerIds.length === 0) return new Set()
  const rows = await db
    .select({ id: orders.providerId })
    .from(orders)
    .where(inArray(orders.providerId, [...providerIds]))
  return new Set(rows.map(({ id }) => id))
}

/**
 * Which of a provider's payments, by its ids, were given or taken back wholly, as far as that is known here: not what the balance of the
 * customer's account has paid a part of, which no refund gives back.
 */
export async function takenBackPayments(db: Reader, providerIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (providerIds.length === 0) return new Set()
  const isOne = and(inArray(orders.providerId, [...providerIds]), ne(orders.providerId, ''))
  const { refundedAmount, total, amount } = orders
  const isTakenBack = and(gt(refundedAmount, 0), gte(refundedAmount, sql`coalesce(${total}, ${amount})`))
  const rows = await db.select({ id: orders.providerId }).from(orders).where(and(isOne, isTakenBack))
  return new Set(rows.map(({ id }) => id))
}

interface PaidUntil {
  providerSubscriptionId: string
  until: Date
}

/**
 * Who had paid for a subscription of PayPal last at a moment, as its own payments say: what was bought on top of it stays an order of who
 * paid, whose it is by then or not.
 */
export async function buyerUntil(
  db: Reader,
  { providerSubscriptionId, until }: PaidUntil,
): Promise<string | undefined> {
  const [last] = await db
    .select({ memberId: orders.memberId })
    .from(orders)
    .where(
      and(
        eq(orders.providerSubscriptionId, providerSubscriptionId),
        eq(orders.isOfChange, false),
        lte(orders.date, until),
      ),
    )
    .orderBy(desc(orders.date))
    .limit(1)
  return last?.memberId
}

/**
 * Whether an order that is new is of a subscription whose other orders are hidden: what a partner sold is never shown, not even until the
 * subscription was read.
 */
export async function isSoldByPartner(db: Reader, { subscriptionId }: { subscriptionId: string }): Promise<boolean> {
  if (subscriptionId === '') return false
  const { providerSubscriptionId, isPriceHidden } = orders
  return (await db.$count(orders, and(eq(providerSubscriptionId, subscriptionId), isPriceHidden))) > 0
}
