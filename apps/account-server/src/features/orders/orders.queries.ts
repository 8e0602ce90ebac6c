import type { listOnlineOrders, OnlineOrder } from '@atrium/contract/orders.ts'
import type { PageQuery } from '@atrium/contract/page.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, descending, prepared, preparedShapes, type Reader, type Tx } from '@atrium/server-kit/database.ts'
import { and, count, eq, getTableColumns, gte, isNull, like, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { rangeStart } from '../../db/range.rules.ts'
import { products } from '../catalog/catalog.tables.ts'
import { orderLineParts, orderLineText } from './line-words.rules.ts'
import { isDiscount } from './order-totals.rules.ts'
import { downloadUrl, invoiceKind } from './orders.rules.ts'
import { invoiceFiles, offlineOrders, orders } from './orders.tables.ts'

interface Asked extends z.output<typeof listOnlineOrders.query> {
  now: Date
  /** Allowed hosts of download links. */
  downloadHosts: readonly string[]
}

/** A page of a member's matching store orders, newest first, and their number. */
export async function onlineOrdersOf(db: Reader, member: Member, asked: Asked) {
  const { status, range, keyWord, page, pageSize, now } = asked
  const shape = { status: status !== undefined, range: range !== undefined, keyWord: keyWord !== '' }
  const values = {
    memberId: member.id,
    ...(status && { status }),
    ...(range && { since: rangeStart(range, now) }),
    ...(keyWord !== '' && { pattern: containing(keyWord) }),
  }
  const [rows, [counted]] = await Promise.all([
    pageOfOrders(db, shape).execute({ ...values, limit: pageSize, offset: (page - 1) * pageSize }),
    numberOfOrders(db, shape).execute(values),
  ])
  return { total: counted?.total ?? 0, list: rows.map((row) => onlineOrder(row, asked)) }
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof pageOfOrders>['execute']>>[number]

/** The fields of an order that are sent. */
function onlineOrder(row: OrderRow, { lang, downloadHosts }: Pick<Asked, 'lang' | 'downloadHosts'>): OnlineOrder {
  const downloads = new Map(row.downloads.map((product) => [product.code, product.downloads]))
  return {
    orderNumber: row.orderNumber,
    orderInvoiceNum: row.invoiceNumber,
    orderDescription: row.lines.map((line) => orderLineText(line, lang)),
    orderProduct: row.lines.map((line) => ({
      ...orderLineParts(line, lang),
      amount: line.amount,
      downloadUrl: downloadUrl(downloads.get(line.productCode), downloadHosts),
      isDiscount: isDiscount(line) ? 1 : 0,
    })),
    orderAmount: row.amount,
    orderCurrency: row.currency,
    orderTotal: row.total ?? row.amount,
    orderTax: row.tax,
    orderRefundedAmount: row.refundedAmount,
    orderRefundDate: row.refundedAt?.toISOString() ?? '',
    orderStatus: row.status,
    isPaymentDue: row.isDue && row.status === 'PD' ? 1 : 0,
    isChangeWaiting: isOfWaitingChange(row) ? 1 : 0,
    isChangeNotMade: row.isOfChange && row.status === 'CL' ? 1 : 0,
    isSubscriptionEnded: row.isEnded && (row.status === 'PD' || row.status === 'OP') ? 1 : 0,
    payUrl: row.status === 'PD' || row.status === 'OP' ? row.payUrl : '',
    orderDate: row.date.toISOString(),
    invoiceKind: invoiceKind(row),
  }
}

/** Of a subscription that is paid otherwise. */
function isOfWaitingChange({ status, isDue, payUrl, isOfChange }: OrderRow): boolean {
  return status === 'PD' && !isDue && payUrl !== '' && isOfChange
}

/** Which filters are set. */
interface Shape extends Readonly<Record<string, boolean>> {
  status: boolean
  range: boolean
  keyWord: boolean
}

function matching({ status, range, keyWord }: Shape): SQL | undefined {
  return and(
    eq(orders.memberId, sql.placeholder('memberId')),
    status ? eq(orders.status, sql.placeholder('status')) : undefined,
    range ? gte(orders.date, sql.placeholder('since')) : undefined,
    // The database lowercases both sides, so that they agree.
    keyWord ? like(orders.searched, sql`lower(${sql.placeholder('pattern')})`) : undefined,
  )
}

/**
 * Whether the vendor's PDF, or Atrium's invoice, is stored or can be fetched. Wrapped in another `sql`, since Drizzle omits the
 * table name in a select from one table.
 */
function hasOwnFile(order: Record<'orderNumber' | 'invoiceUrl', SQLWrapper>): SQL<boolean> {
  const stored = sql`select 1 from ${invoiceFiles}
    where ${invoiceFiles.orderNumber} = ${order.orderNumber} and ${invoiceFiles.kind} = 'invoice'`
  return sql<boolean>`(${order.invoiceUrl} <> '' or exists (${stored}))`
}

type Downloads = Pick<typeof products.$inferSelect, 'code' | 'downloads'>[]

const pageOfOrders = preparedShapes('orders_page', (db, name, shape: Shape) => {
  const {
    memberId: _,
    buyer: __,
    searched: ___,
    syncNumber: ____,
    refundSyncNumber: _____,
    receiptEmailedAt: ______,
    ...columns
  } = getTableColumns(orders)
  // Selects the page first, so that files and products are looked up only for its rows.
  const found = db
    .select(columns)
    .from(orders)
    .where(matching(shape))
    .orderBy(descending(orders.date), descending(orders.orderNumber))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .as('found')
  return db
    .select({
      ...found._.selectedFields,
      hasOwnFile: hasOwnFile(found),
      downloads: sql<Downloads>`(
        select coalesce(jsonb_agg(jsonb_build_object('code', ${products.code}, 'downloads', ${products.downloads})), '[]')
        from ${products}
        where ${products.code} in (select line ->> 'productCode' from jsonb_array_elements(${found.lines}) line)
      )`,
    })
    .from(found)
    .orderBy(descending(found.date), descending(found.orderNumber))
    .prepare(name)
})

const numberOfOrders = preparedShapes('orders_count', (db, name, shape: Shape) =>
  db.select({ total: count() }).from(orders).where(matching(shape)).prepare(name),
)

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

/** A page of a member's offline orders, newest first, and their number. */
export async function offlineOrdersOf(db: Reader, member: Member, { page, pageSize }: PageQuery) {
  const [rows, [counted]] = await Promise.all([
    pageOfOfflineOrders(db).execute({ memberId: member.id, limit: pageSize, offset: (page - 1) * pageSize }),
    numberOfOfflineOrders(db).execute({ memberId: member.id }),
  ])
  return {
    total: counted?.total ?? 0,
    list: rows.map((row) => ({
      nsOrderNumber: row.orderNumber,
      orderDescription: row.lines,
      orderAmount: row.amount,
      orderCurrency: row.currency,
      orderDate: row.date.toISOString(),
    })),
  }
}

const pageOfOfflineOrders = prepared('offline_orders_page', (db, name) =>
  db
    .select()
    .from(offlineOrders)
    .where(eq(offlineOrders.memberId, sql.placeholder('memberId')))
    .orderBy(descending(offlineOrders.date), descending(offlineOrders.orderNumber))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const numberOfOfflineOrders = prepared('offline_orders_count', (db, name) =>
  db
    .select({ total: count() })
    .from(offlineOrders)
    .where(eq(offlineOrders.memberId, sql.placeholder('memberId')))
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
