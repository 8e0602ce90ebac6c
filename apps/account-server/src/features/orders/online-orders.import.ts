import { excluded, type Tx } from '@atrium/server-kit/database.ts'
import { and, eq, inArray } from 'drizzle-orm'
import { type Context, importer, type Line, noMember, refused, rowsOf } from '../../db/importer.ts'
import { memberIdsByEmail } from '../../db/members.queries.ts'
import { dropArchives } from '../archives/archives.writes.ts'
import { productCodes } from '../catalog/catalog.queries.ts'
import { type InvoicePlaces, invoiceSource, readInvoice } from './invoice-source.ts'
import { invoiceFiles, orders } from './orders.tables.ts'
import { storeFile } from './orders.writes.ts'

type OrderLine = Line<'order'>
type Source = Awaited<ReturnType<typeof invoiceSource>>

/** What lines are checked against. */
interface Lookups {
  memberIds: ReadonlyMap<string, string>
  /** Existing orders. */
  known: ReadonlyMap<string, Pick<typeof orders.$inferSelect, 'memberId' | 'invoiceNumber' | 'origin' | 'providerId'>>
  /** Order by invoice number, including the lines before. */
  invoiced: Map<string, string>
  /** By order number. */
  sources: ReadonlyMap<string, Source>
}

/** Orders of the vendor's previous shop. Orders that Atrium charged, and stored files, are never changed. */
export const onlineOrderImporter = importer('order', async (tx, lines, context) => {
  const lookups = await loadLookups(tx, lines, context)
  const rows = rowsOf(lines, context, (record) => orderRow(record, lookups))
  if (rows.length === 0) return
  warnOfUnknownProducts(lines, await productCodes(tx), context)
  warnOfMoves(lines, lookups, context)

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
        'buyer',
        'invoiceUrl',
      ]),
      setWhere: eq(orders.origin, 'imported'),
    })

  await forgetFiles(tx, rows, lookups)
  // One after the other: each may have 5 MB.
  for (const { orderNumber, status } of rows) {
    const source = lookups.sources.get(orderNumber)
    if (!source || !('path' in source) || source.path === '') continue
    const kind = status === 'CO' ? 'invoice' : 'pro_forma'
    await storeFile(tx, { orderNumber, kind, pdf: await readInvoice(source.path), now: context.now })
  }
})

function warnOfUnknownProducts(
  lines: readonly OrderLine[],
  codes: ReadonlySet<string>,
  { warn }: Pick<Context, 'warn'>,
): void {
  for (const line of lines) {
    for (const [place, { productCode }] of line.record.lines.entries()) {
      if (productCode === '' || codes.has(productCode)) continue
      warn(line, `lines.${place}.productCode`, `the catalog has no product ${productCode}: no download is offered`)
    }
  }
}

/** Two customers with the same order number are the most common export error; but an order may also have moved. */
function warnOfMoves(
  lines: readonly OrderLine[],
  { known, memberIds }: Lookups,
  { warn }: Pick<Context, 'warn'>,
): void {
  for (const line of lines) {
    const { orderNumber, email } = line.record
    const before = known.get(orderNumber)?.memberId
    if (before && before !== memberIds.get(email))
      warn(line, 'email', `order ${orderNumber} was another customer’s, and moves`)
  }
}

async function loadLookups(tx: Tx, lines: readonly OrderLine[], places: InvoicePlaces): Promise<Lookups> {
  const records = lines.map(({ record }) => record)
  const numbers = records.map(({ orderNumber }) => orderNumber)
  const invoiceNumbers = records.flatMap(({ invoiceNumber }) => (invoiceNumber === '' ? [] : [invoiceNumber]))

  const memberIds = await memberIdsByEmail(
    tx,
    records.map(({ email }) => email),
  )
  const known = await tx
    .select({
      orderNumber: orders.orderNumber,
      memberId: orders.memberId,
      invoiceNumber: orders.invoiceNumber,
      origin: orders.origin,
      providerId: orders.providerId,
    })
    .from(orders)
    .where(inArray(orders.orderNumber, numbers))
    .orderBy(orders.orderNumber)
    .for('update')
  const holders = await tx
    .select({ orderNumber: orders.orderNumber, invoiceNumber: orders.invoiceNumber })
    .from(orders)
    .where(inArray(orders.invoiceNumber, invoiceNumbers))
  // What a provider has charged has its number beside ours.
  const ofProvider = await tx
    .select({ orderNumber: orders.orderNumber, invoiceNumber: orders.providerNumber })
    .from(orders)
    .where(and(inArray(orders.memberId, [...memberIds.values()]), inArray(orders.providerNumber, invoiceNumbers)))
  const sources = new Map<string, Source>()
  for (const { orderNumber, invoiceFile } of records) {
    sources.set(orderNumber, await invoiceSource(invoiceFile, places))
  }

  return {
    memberIds,
    known: new Map(known.map((order) => [order.orderNumber, order])),
    invoiced: new Map([...ofProvider, ...holders].map((held) => [held.invoiceNumber, held.orderNumber])),
    sources,
  }
}

/** What is stored names the previous customer, so it is deleted, and what they have packed; the new one gets their own. */
async function forgetFiles(
  tx: Tx,
  rows: readonly { orderNumber: string; memberId: string }[],
  { known }: Pick<Lookups, 'known'>,
): Promise<void> {
  const moved: string[] = []
  const from = new Set<string>()
  for (const { orderNumber, memberId } of rows) {
    const before = known.get(orderNumber)?.memberId ?? memberId
    if (before === memberId) continue
    moved.push(orderNumber)
    from.add(before)
  }
  if (moved.length === 0) return
  await tx.delete(invoiceFiles).where(inArray(invoiceFiles.orderNumber, moved))
  await dropArchives(tx, [...from])
}

function orderRow(record: OrderLine['record'], { memberIds, known, invoiced, sources }: Lookups) {
  const { orderNumber, email, invoiceNumber, status, amount, tax, currency } = record
  const memberId = memberIds.get(email)
  const source = sources.get(orderNumber)
  const before = known.get(orderNumber)
  if (!memberId) return noMember
  if (before?.providerId) return refused('orderNumber', 'is of a payment provider, and is not changed by a file')
  if (before?.origin === 'charged') return refused('orderNumber', 'was charged by Atrium, and is not changed by a file')
  const holder = invoiceNumber === '' ? orderNumber : (invoiced.get(invoiceNumber) ?? orderNumber)
  if (holder !== orderNumber) return refused('invoiceNumber', `is that of order ${holder}`)
  if (tax !== undefined && tax > Math.max(0, amount)) return refused('tax', 'is more than the amount')
  if (!source || 'reason' in source) return source ?? refused('invoiceFile', 'is not known')

  if (before) invoiced.delete(before.invoiceNumber)
  invoiced.set(invoiceNumber, orderNumber)
  const lines = record.lines.map((line) => ({ ...line, amount: line.amount ?? null }))
  const common = { orderNumber, memberId, invoiceNumber, status, lines, amount, currency, invoiceUrl: source.url }
  const rest = { tax: tax ?? null, buyer: record.buyer ?? null, date: new Date(record.date) }
  return { ...common, ...rest, origin: 'imported' as const }
}
