import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import type { Deps } from '../../deps.ts'
import { invoiceDocument } from './invoice-pdf/invoice-document.ts'
import { renderInTurn } from './invoice-pdf/renderer.ts'
import { storedFile } from './orders.queries.ts'
import { invoiceFiles, orders } from './orders.tables.ts'

interface InvoiceToWrite {
  orderNumber: string
  /** The customer's. */
  lang: LocaleCode
  now: Date
}

/**
 * Writes the invoice of an order that Atrium charged and that completed, with the buyer as they were then: once, and
 * never changed afterwards. Asked again, it changes nothing and answers false. The activity row is that of the act which completes the
 * order. Throws where there is no such order: that is a bug, not a refusal.
 */
export async function writeInvoice(deps: Pick<Deps, 'config'>, tx: Tx, asked: InvoiceToWrite): Promise<boolean> {
  const { orderNumber, lang, now } = asked
  if (await storedFile(tx, orderNumber, 'invoice')) return false

  const [order] = await tx.select().from(orders).where(eq(orders.orderNumber, orderNumber))
  if (order?.origin !== 'charged' || order.status !== 'CO' || !order.buyer || order.invoiceNumber === '') {
    throw new Error(
      `order ${orderNumber} is not one that was charged and completed, with a buyer and an invoice number`,
    )
  }
  const { buyer } = order
  const pdf = await renderInTurn(invoiceDocument({ kind: 'invoice', lang, order, buyer, now }, deps.config))
  return keepFile(tx, { orderNumber, kind: 'invoice', pdf, now })
}

interface NewFile {
  orderNumber: string
  kind: (typeof invoiceFiles.$inferSelect)['kind']
  pdf: Buffer
  now: Date
}

/** Stores a file of an order, unless there is one of its kind; answers whether it was stored. */
export async function keepFile(tx: Tx, { orderNumber, kind, pdf, now }: NewFile): Promise<boolean> {
  const stored = await tx
    .insert(invoiceFiles)
    .values({ orderNumber, kind, pdf, createdAt: now })
    .onConflictDoNothing()
    .returning({ orderNumber: invoiceFiles.orderNumber })
  return stored.length > 0
}
