import type { OnlineOrdersFilter } from '@atrium/contract/orders.ts'
import { preparedShapes, type Reader } from '@atrium/server-kit/database.ts'
import { and, asc, count, getTableColumns, type SQL, sql } from 'drizzle-orm'
import { filterOf, matching, type Shape } from './order-filter.queries.ts'
import { hasOwnFile } from './orders.queries.ts'
import { orders } from './orders.tables.ts'

interface Wanted {
  memberId: string
  filter: OnlineOrdersFilter
  /** From which the range counts back. */
  now: Date
}

const atOnce = 50

export type ExportedOrder = typeof orders.$inferSelect & { hasOwnFile: boolean }

/** A member's matching store orders, oldest first, some at a time. */
export async function* exportedOrders(db: Reader, { memberId, filter, now }: Wanted): AsyncGenerator<ExportedOrder> {
  const { shape, values } = filterOf(memberId, filter, now)
  let last: ExportedOrder | undefined
  do {
    const after = last && { afterDate: last.date, afterNumber: last.orderNumber }
    const rows = await nextOrders(db, { ...shape, after: after !== undefined }).execute({ ...values, ...after })
    yield* rows
    last = rows.length === atOnce ? rows.at(-1) : undefined
  } while (last)
}

const nextOrders = preparedShapes('orders_exported', (db, name, { after, ...shape }: Shape & { after: boolean }) =>
  db
    .select({ ...getTableColumns(orders), hasOwnFile: hasOwnFile(orders) })
    .from(orders)
    .where(
      and(
        matching(shape),
        after
          ? sql`(${orders.date}, ${orders.orderNumber}) > (${sql.placeholder('afterDate')}, ${sql.placeholder('afterNumber')})`
          : undefined,
      ),
    )
    .orderBy(asc(orders.date), asc(orders.orderNumber))
    .limit(atOnce)
    .prepare(name),
)

/** How many orders match, and how many of them have a document: `invoiceKind`, in SQL. */
export async function numberOfExported(db: Reader, { memberId, filter, now }: Wanted) {
  const { shape, values } = filterOf(memberId, filter, now)
  const [counted] = await countedOrders(db, shape).execute(values)
  return { orders: counted?.orders ?? 0, documents: counted?.documents ?? 0 }
}

const hasDocument: SQL = sql`not ${orders.isPriceHidden} and (${orders.status} = 'CO'
  or (${orders.status} in ('PD', 'OP') and ${orders.invoiceNumber} <> ''))`

const countedOrders = preparedShapes('orders_exported_count', (db, name, shape: Shape) =>
  db
    .select({ orders: count(), documents: sql<number>`count(*) filter (where ${hasDocument})`.mapWith(Number) })
    .from(orders)
    .where(matching(shape))
    .prepare(name),
)
