import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import type { products } from '../catalog/catalog.tables.ts'
import type { orders } from './orders.tables.ts'

export type InvoiceKind = OnlineOrder['invoiceKind']

type OrderRow = typeof orders.$inferSelect

/** What of an order says what it cost. */
type Priced = Pick<OrderRow, 'isPriceHidden' | 'lines' | 'amount' | 'total' | 'tax' | 'refundedAmount' | 'refundedAt'>

/** The order as its buyer may see it: without what it cost if that is hidden. Every list and file asks here. */
export function shownOrder<Row extends Priced>(order: Row) {
  if (!order.isPriceHidden) return { ...order, amount: order.amount, total: order.total ?? order.amount }
  const lines = order.lines.map((line) => ({ ...line, amount: null }))
  return { ...order, lines, amount: null, total: null, tax: null, refundedAmount: 0, refundedAt: null }
}

type OrderState = Pick<OrderRow, 'status' | 'origin' | 'invoiceNumber' | 'isPriceHidden'> & {
  /** The vendor's PDF is stored, or can be fetched. */
  hasOwnFile: boolean
}

/** The kind of document that Download Invoice returns; used by both list and download. Each says what the order cost. */
export function invoiceKind({ status, origin, invoiceNumber, hasOwnFile, isPriceHidden }: OrderState): InvoiceKind {
  if (isPriceHidden) return 'none'
  if (status === 'CO') return origin === 'charged' || hasOwnFile ? 'invoice' : 'summary'
  const isOpen = status === 'PD' || status === 'OP'
  return isOpen && invoiceNumber !== '' ? 'pro_forma' : 'none'
}

type Downloads = (typeof products.$inferSelect)['downloads']

/** The download address of a product: the first that is allowed; empty if there is none. */
export function downloadUrl(downloads: Downloads | undefined, hosts: readonly string[]): string {
  const links = (downloads ?? []).map(({ url }) => allowedLink(url, hosts))
  return links.find((link) => link !== '') ?? ''
}

/** `invoice-{invoiceNum}.pdf`, or `order-{orderNumber}.pdf` if it is not an invoice or has no invoice number. */
export function invoiceFilename(kind: InvoiceKind, order: { orderNumber: string; invoiceNumber: string }): string {
  return kind === 'summary' || order.invoiceNumber === ''
    ? `order-${safeName(order.orderNumber)}.pdf`
    : `invoice-${safeName(order.invoiceNumber)}.pdf`
}

/** The same within a ZIP, by which files sort by kind and date: `invoice-2025-03-04-{invoiceNum}.pdf`. */
export function archivedFilename(
  kind: InvoiceKind,
  order: Parameters<typeof invoiceFilename>[1] & { date: Date },
): string {
  const [prefix = '', ...rest] = invoiceFilename(kind, order).split('-')
  const day = order.date.toISOString().slice(0, 10)
  return [kind === 'pro_forma' ? 'pro-forma' : prefix, day, ...rest].join('-')
}

/** Numbers come from the vendor: path separators and other characters forbidden in file names become dashes. */
function safeName(number: string): string {
  return number.normalize('NFC').replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
}
