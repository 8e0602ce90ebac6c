import type { Reader } from '@atrium/server-kit/database.ts'
import { and, asc, desc, eq, isNull, type SQL } from 'drizzle-orm'
import { cardObjects } from './cards.tables.ts'
import { isOf, type Kind, type StoredOf } from './stored.ts'

/** Objects of a kind, oldest first. */
async function all<K extends Kind>(tx: Reader, kind: K, where: (SQL | undefined)[]): Promise<StoredOf<K>[]> {
  const rows = await tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, kind), eq(cardObjects.isDeleted, false), ...where))
    .orderBy(asc(cardObjects.place))
  return rows.flatMap(({ stored }) => (isOf(stored, kind) ? [stored] : []))
}

/** Invoice items that the next invoice of a subscription takes. */
export function pendingOfSubscription(tx: Reader, subscription: string): Promise<StoredOf<'invoiceitem'>[]> {
  return all(tx, 'invoiceitem', [eq(cardObjects.subscription, subscription), isNull(cardObjects.invoice)])
}

/** Invoice items of a customer that belong to no subscription and no invoice yet. */
export function pendingOfCustomer(tx: Reader, customer: string): Promise<StoredOf<'invoiceitem'>[]> {
  return all(tx, 'invoiceitem', [
    eq(cardObjects.customer, customer),
    isNull(cardObjects.subscription),
    isNull(cardObjects.invoice),
  ])
}

/** The payments of an invoice, the default one first. */
export function paymentsOf(tx: Reader, invoice: string): Promise<StoredOf<'invoice_payment'>[]> {
  return all(tx, 'invoice_payment', [eq(cardObjects.invoice, invoice)])
}

export function openInvoicesOf(tx: Reader, subscription: string): Promise<StoredOf<'invoice'>[]> {
  return all(tx, 'invoice', [eq(cardObjects.subscription, subscription), eq(cardObjects.status, 'open')])
}

export function draftsOf(tx: Reader, subscription: string): Promise<StoredOf<'invoice'>[]> {
  return all(tx, 'invoice', [eq(cardObjects.subscription, subscription), eq(cardObjects.status, 'draft')])
}

/** The charges of a payment intent that were paid, newest first. */
export async function paidCharges(tx: Reader, intent: string): Promise<StoredOf<'charge'>[]> {
  const rows = await tx
    .select({ stored: cardObjects.stored })
    .from(cardObjects)
    .where(and(eq(cardObjects.kind, 'charge'), eq(cardObjects.intent, intent)))
    .orderBy(desc(cardObjects.place))
  return rows.flatMap(({ stored }) => (isOf(stored, 'charge') && stored.object.paid ? [stored] : []))
}
