import type { Db, Reader, Tx } from '@atrium/server-kit/database.ts'
import { and, eq } from 'drizzle-orm'
import { members } from '../../db/members.tables.ts'
import { invoiceFiles, orders } from '../orders/orders.tables.ts'
import type { Person } from './personal-table.ts'
import { personalTables } from './personal-tables.ts'

/** Everything stored about a person: the rows by noun, in the names of their columns, and the invoices. */
export interface PersonalExport {
  data: Readonly<Record<string, readonly Record<string, unknown>[]>>
  files: readonly ExportedFile[]
}

/** An invoice, whose content is read when it is wanted (`invoiceContent`). */
export interface ExportedFile {
  /** Path within the export. */
  name: string
  orderNumber: string
  kind: (typeof invoiceFiles.$inferSelect)['kind']
}

export type ExportOutcome =
  | { kind: 'nobody' }
  | { kind: 'several'; memberIds: readonly string[] }
  | { kind: 'exported'; export: PersonalExport }

/** Reads everything about whoever has an address, as of one moment. Without secrets, hidden prices, and what is about others. */
export function exportAddress(db: Db, { email, now }: { email: string; now: Date }): Promise<ExportOutcome> {
  return asOfOneMoment(db, async (tx): Promise<ExportOutcome> => {
    const found = await tx.select({ id: members.id }).from(members).where(eq(members.email, email))
    if (found.length > 1) return { kind: 'several', memberIds: found.map(({ id }) => id) }
    const read = await readAll(tx, { memberId: found[0]?.id ?? null, email, now })
    const isEmpty = Object.values(read.data).every((rows) => rows.length === 0)
    return isEmpty ? { kind: 'nobody' } : { kind: 'exported', export: read }
  })
}

/** The same of a member. */
export function exportMember(db: Db, { id, email }: { id: string; email: string }, now: Date): Promise<PersonalExport> {
  return asOfOneMoment(db, (tx) => readAll(tx, { memberId: id, email, now }))
}

/** @throws Error if it is gone: no file is ever deleted */
export async function invoiceContent(db: Reader, { orderNumber, kind }: ExportedFile): Promise<Buffer> {
  const [row] = await db
    .select({ pdf: invoiceFiles.pdf })
    .from(invoiceFiles)
    .where(and(eq(invoiceFiles.orderNumber, orderNumber), eq(invoiceFiles.kind, kind)))
  if (!row) throw new Error(`the ${kind} of order ${orderNumber} is gone`)
  return row.pdf
}

function asOfOneMoment<Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' })
}

async function readAll(tx: Tx, person: Person): Promise<PersonalExport> {
  const data: Record<string, readonly Record<string, unknown>[]> = {}
  for (const { table, noun, read } of personalTables) {
    const rows = await read(tx, person)
    data[noun] = table === invoiceFiles ? rows.map((row) => ({ ...row, file: pathOf(row) })) : rows
  }
  return { data, files: await filesOf(tx, person) }
}

async function filesOf(tx: Tx, { memberId }: Person): Promise<ExportedFile[]> {
  if (memberId === null) return []
  const { orderNumber, kind } = invoiceFiles
  const rows = await tx
    .select({ orderNumber, kind })
    .from(invoiceFiles)
    .innerJoin(orders, eq(orders.orderNumber, orderNumber))
    .where(and(eq(orders.memberId, memberId), eq(orders.isPriceHidden, false)))
    .orderBy(orderNumber, kind)
  return rows.map((row) => ({ ...row, name: pathOf(row) }))
}

function pathOf({ orderNumber, kind }: { orderNumber?: unknown; kind?: unknown }): string {
  return `invoices/${String(orderNumber).replace(/[^\w.-]/g, '_')}-${kind}.pdf`
}
