import type { Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { excluded, importer, type Line, lastOfEach, noMember, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { type InvoicePlaces, invoiceSource, readInvoice } from './invoice-source.ts'
import { invoiceFiles, orders } from './orders.tables.ts'
import { keepFile } from './orders.writes.ts'

type OrderLine = Line<'order'>
type Source = Awaited<ReturnType<typeof invoiceSource>>

/** What lines are held against. */
interface Books {
  memberIds: ReadonlyMap<string, string>
  /** Whose the orders are that are there already. */
  owners: ReadonlyMap<string, string>
  /** Numbers of orders that Atrium charged. */
  charged: ReadonlySet<string>
  /** Order by invoice number. */
  invoiced: ReadonlyMap<string, string>
  /** By order number. */
  sources: ReadonlyMap<string, Source>
}

/** Orders of the vendor's old shop. An order that Atrium charged, and a file that is stored, are never changed. */
export const orderImporter = importer('order', async (tx, lines, context) => {
  const latest = lastOfEach(lines, ({ record }) => record.orderNumber)
  const books = await openBooks(tx, latest, context)
  const rows = rowsOf(latest, context, (record) => orderRow(record, books))
  if (rows.length === 0) return

  await tx
    .insert(orders)
    .values(rows)
    .onConflictDoUpdate({
      target: orders.orderNumber,
      set: excluded(orders, [
        'memberId',
        'invoiceNumber',
        'status',
        'lines',
        'amount',
        'tax',
        'currency',
        'date',
        'invoiceUrl',
      ]),
      setWhere: eq(orders.origin, 'imported'),
    })

  await forgetSummaries(tx, rows, books)
  // One after the other: each may have 5 MB.
  for (const { orderNumber, status } of rows) {
    const source = books.sources.get(orderNumber)
    if (!source || !('path' in source) || source.path === '') continue
    const kind = status === 'CO' ? 'invoice' : 'pro_forma'
    await keepFile(tx, { orderNumber, kind, pdf: await readInvoice(source.path), now: context.now })
  }
})

async function openBooks(tx: Tx, lines: readonly OrderLine[], places: InvoicePlaces): Promise<Books> {
  const records = lines.map(({ record }) => record)
  const numbers = records.map(({ orderNumber }) => orderNumber)
  const invoiceNumbers = records.flatMap(({ invoiceNumber }) => (invoiceNumber === '' ? [] : [invoiceNumber]))

  const memberIds = await memberIdsByEmail(
    tx,
    records.map(({ email }) => email),
  )
  const known = await tx
    .select({ orderNumber: orders.orderNumber, origin: orders.origin, memberId: orders.memberId })
    .from(orders)
    .where(inArray(orders.orderNumber, numbers))
  const holders = await tx
    .select({ orderNumber: orders.orderNumber, invoiceNumber: orders.invoiceNumber })
    .from(orders)
    .where(inArray(orders.invoiceNumber, invoiceNumbers))
  const sources = new Map<string, Source>()
  for (const { orderNumber, invoiceFile } of records) {
    sources.set(orderNumber, await invoiceSource(invoiceFile, places))
  }

  // Of several lines with one invoice number the first has it; whose line gives it up does not hold it any longer.
  const invoiced = [
    ...holders.filter(({ orderNumber }) => !numbers.includes(orderNumber)),
    ...records.filter(({ invoiceNumber }) => invoiceNumber !== ''),
  ].toReversed()
  return {
    memberIds,
    owners: new Map(known.map(({ orderNumber, memberId }) => [orderNumber, memberId])),
    charged: new Set(known.filter(({ origin }) => origin === 'charged').map(({ orderNumber }) => orderNumber)),
    invoiced: new Map(invoiced.map(({ invoiceNumber, orderNumber }) => [invoiceNumber, orderNumber])),
    sources,
  }
}

/** The summary of an order names the customer for whom it was written: whose order it is now gets one of their own. */
async function forgetSummaries(
  tx: Tx,
  rows: readonly { orderNumber: string; memberId: string }[],
  { owners }: Pick<Books, 'owners'>,
): Promise<void> {
  const moved = rows
    .filter(({ orderNumber, memberId }) => (owners.get(orderNumber) ?? memberId) !== memberId)
    .map(({ orderNumber }) => orderNumber)
  if (moved.length === 0) return
  await tx.delete(invoiceFiles).where(and(inArray(invoiceFiles.orderNumber, moved), eq(invoiceFiles.kind, 'summary')))
}

function orderRow(record: OrderLine['record'], { memberIds, charged, invoiced, sources }: Books) {
  const { orderNumber, email, invoiceNumber, status, amount, tax, currency } = record
  const memberId = memberIds.get(email)
  const source = sources.get(orderNumber)
  if (!memberId) return noMember
  if (charged.has(orderNumber)) return refused('orderNumber', 'was charged by Atrium, and is not changed by a file')
  if (invoiceNumber !== '' && invoiced.get(invoiceNumber) !== orderNumber) {
    return refused('invoiceNumber', 'is another order’s')
  }
  if (tax !== undefined && tax > Math.max(0, amount)) return refused('tax', 'is more than the amount')
  if (!source || 'reason' in source) return source ?? refused('invoiceFile', 'is not known')

  const lines = record.lines.map((line) => ({ ...line, amount: line.amount ?? null }))
  const common = { orderNumber, memberId, invoiceNumber, status, lines, amount, currency, invoiceUrl: source.url }
  return { ...common, tax: tax ?? null, date: new Date(record.date), origin: 'imported' as const }
}
