import type { listOfflineOrders, listOnlineOrders, OnlineOrder } from '@atrium/contract/orders.ts'
import { type ListRange, yearOf } from '@atrium/contract/range.ts'
import type { Member } from '@atrium/server-kit/caller.ts'
import { containing, descending, preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, count, eq, getTableColumns, like, or, type SQL, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { products } from '../catalog/catalog.tables.ts'
import { orderLineParts, orderLineText } from './line-words.rules.ts'
import { filterOf, matching, type Shape } from './order-filter.queries.ts'
import { isDiscount, paidByCurrency, type SumTimes } from './order-totals.rules.ts'
import { hasOwnFile } from './orders.queries.ts'
import { downloadUrl, invoiceKind, shownOrder } from './orders.rules.ts'
import { offlineOrders, orders } from './orders.tables.ts'

interface Asked extends z.output<typeof listOnlineOrders.query> {
  now: Date
  /** Allowed hosts of download links. */
  downloadHosts: readonly string[]
}

/** A page of a member's matching store orders, newest first, and their number. */
export async function onlineOrdersOf(db: Reader, member: Member, asked: Asked) {
  const { page, pageSize, now } = asked
  const { shape, values } = filterOf(member.id, asked, now)
  const times = timesOf(asked.range)
  const [rows, counted] = await Promise.all([
    pageOfOrders(db, shape).execute({ ...values, limit: pageSize, offset: (page - 1) * pageSize }),
    ordersByTime(db, { ...shape, byMonth: times === 'months', byYear: times === 'years' }).execute(values),
  ])
  return {
    list: rows.map((row) => onlineOrder(row, asked)),
    total: counted.reduce((sum, { orders }) => sum + orders, 0),
    paid: paidByCurrency(counted, times),
  }
}

/** A year is shown by months, everything by years. */
function timesOf(range: ListRange | undefined): SumTimes {
  if (range === undefined) return 'years'
  return yearOf(range) === undefined ? 'all' : 'months'
}

type OrderRow = Awaited<ReturnType<ReturnType<typeof pageOfOrders>['execute']>>[number]

/** The fields of an order that are sent. */
function onlineOrder(found: OrderRow, { lang, downloadHosts }: Pick<Asked, 'lang' | 'downloadHosts'>): OnlineOrder {
  const row = shownOrder(found)
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
    orderTotal: row.total,
    orderTax: row.tax,
    orderRefundedAmount: row.refundedAmount,
    orderRefundDate: row.refundedAt?.toISOString() ?? '',
    orderStatus: row.status,
    isPaymentDue: row.isDue && row.status === 'PD' ? 1 : 0,
    isChangeWaiting: isOfWaitingChange(found) ? 1 : 0,
    isChangeNotMade: row.isOfChange && row.status === 'CL' ? 1 : 0,
    isSubscriptionEnded: row.isEnded && (row.status === 'PD' || row.status === 'OP') ? 1 : 0,
    payUrl: row.status === 'PD' || row.status === 'OP' ? row.payUrl : '',
    orderDate: row.date.toISOString(),
    invoiceKind: invoiceKind(found),
  }
}

/** Of a subscription that is paid otherwise. */
function isOfWaitingChange({ status, isDue, payUrl, isOfChange }: OrderRow): boolean {
  return status === 'PD' && !isDue && payUrl !== '' && isOfChange
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

/** By currency and by month from 0 or by year (UTC), else altogether as 0. */
const ordersByTime = preparedShapes(
  'orders_by_time',
  (db, name, { byMonth, byYear, ...shape }: Shape & { byMonth: boolean; byYear: boolean }) => {
    const date = sql`${orders.date} at time zone 'UTC'`
    const year = byYear ? sql<number>`extract(year from ${date})::int` : sql<number>`0`
    const time = byMonth ? sql<number>`extract(month from ${date})::int - 1` : year
    return db
      .select({
        currency: orders.currency,
        time: time.as('part'),
        orders: count(),
        /** What was paid and not given back, of the completed ones whose price is shown. */
        paid: sql<number>`coalesce(sum(${orders.amount} - ${orders.refundedAmount})
        filter (where ${orders.status} = 'CO' and not ${orders.isPriceHidden}), 0)`.mapWith(Number),
      })
      .from(orders)
      .where(matching(shape))
      .groupBy(orders.currency, sql`part`)
      .prepare(name)
  },
)

/** A page of a member's matching offline orders, newest first, and their number. */
export async function offlineOrdersOf(
  db: Reader,
  member: Member,
  { page, pageSize, keyWord }: z.output<typeof listOfflineOrders.query>,
) {
  const shape = { keyWord: keyWord !== '' }
  const values = { memberId: member.id, ...(shape.keyWord && { pattern: containing(keyWord) }) }
  const [rows, [counted]] = await Promise.all([
    pageOfOfflineOrders(db, shape).execute({ ...values, limit: pageSize, offset: (page - 1) * pageSize }),
    numberOfOfflineOrders(db, shape).execute(values),
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

type OfflineShape = Pick<Shape, 'keyWord'>

function matchingOffline({ keyWord }: OfflineShape): SQL | undefined {
  const { memberId, orderNumber, lines } = offlineOrders
  const pattern = sql`lower(${sql.placeholder('pattern')})`
  return and(
    eq(memberId, sql.placeholder('memberId')),
    keyWord
      ? or(
          like(sql`lower(${orderNumber})`, pattern),
          sql`exists (select 1 from unnest(${lines}) line where lower(line) like ${pattern})`,
        )
      : undefined,
  )
}

const pageOfOfflineOrders = preparedShapes('offline_orders_page', (db, name, shape: OfflineShape) =>
  db
    .select()
    .from(offlineOrders)
    .where(matchingOffline(shape))
    .orderBy(descending(offlineOrders.date), descending(offlineOrders.orderNumber))
    .limit(sql.placeholder('limit'))
    .offset(sql.placeholder('offset'))
    .prepare(name),
)

const numberOfOfflineOrders = preparedShapes('offline_orders_count', (db, name, shape: OfflineShape) =>
  db.select({ total: count() }).from(offlineOrders).where(matchingOffline(shape)).prepare(name),
)
