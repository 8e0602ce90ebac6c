import type { Tx } from '@atrium/server-kit/database.ts'
import { eq } from 'drizzle-orm'
import { orders } from './orders.tables.ts'

type Row = typeof orders.$inferSelect

/** The order that has this number, as a file may have brought it with the provider's. */
export async function holderOf(tx: Tx, invoiceNumber: string): Promise<Row | undefined> {
  if (invoiceNumber === '') return undefined
  const [holder] = await tx.select().from(orders).where(eq(orders.invoiceNumber, invoiceNumber)).for('update')
  return holder
}

/** An order that a file brought is the invoice if it has its number, member and amount; it stays as the file described it. */
export function claimable(held: Row, invoice: Pick<Row, 'memberId' | 'amount' | 'currency'>): Row | undefined {
  const isSame =
    held.memberId === invoice.memberId && held.amount === invoice.amount && held.currency === invoice.currency
  return isSame && held.origin === 'imported' && held.providerId === '' ? held : undefined
}
