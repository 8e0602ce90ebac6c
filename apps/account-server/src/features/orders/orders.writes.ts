import type { Tx } from '@atrium/server-kit/database.ts'
import { invoiceFiles } from './orders.tables.ts'

interface NewFile {
  orderNumber: string
  kind: (typeof invoiceFiles.$inferSelect)['kind']
  pdf: Buffer
  now: Date
}

/** Stores a file of an order unless there is one of its kind: stored files are never changed. */
export async function storeFile(tx: Tx, { orderNumber, kind, pdf, now }: NewFile): Promise<void> {
  await tx.insert(invoiceFiles).values({ orderNumber, kind, pdf, createdAt: now }).onConflictDoNothing()
}
