import type { OnlineOrder } from '@atrium/contract/orders.ts'
import { allowedLink } from '../catalog/catalog.rules.ts'
import type { products } from '../catalog/catalog.tables.ts'
import type { orders } from './orders.tables.ts'

export type InvoiceKind = OnlineOrder['invoiceKind']

type OrderState = Pick<typeof orders.$inferSelect, 'status' | 'origin' | 'invoiceNumber'> & {
  /** The vendor's own PDF is stored, or can be fetched. */
  hasOwnFile: boolean
}

/** What Download Invoice gives: the one rule, for the list and for the download. */
export function invoiceKind({ status, origin, invoiceNumber, hasOwnFile }: OrderState): InvoiceKind {
  if (status === 'CO') return origin === 'charged' || hasOwnFile ? 'invoice' : 'summary'
  const isOpen = status === 'PD' || status === 'OP'
  return isOpen && invoiceNumber !== '' ? 'pro_forma' : 'none'
}

type Downloads = (typeof products.$inferSelect)['downloads']

/** Where a product is downloaded: the first of its downloads that may be given; empty where there is none. */
export function downloadUrl(downloads: Downloads | undefined, hosts: readonly string[]): string {
  const links = (downloads ?? []).map(({ url }) => allowedLink(url, hosts))
  return links.find((link) => link !== '') ?? ''
}

/** `invoice-{invoiceNum}.pdf`, or `order-{orderNumber}.pdf` of what is no invoice or has no number of its own. */
export function invoiceFilename(kind: InvoiceKind, order: { orderNumber: string; invoiceNumber: string }): string {
  return kind === 'summary' || order.invoiceNumber === ''
    ? `order-${safeName(order.orderNumber)}.pdf`
    : `invoice-${safeName(order.invoiceNumber)}.pdf`
}

/** Numbers are the vendor's own text: what could be a path, or is forbidden in names of files, becomes a dash. */
function safeName(number: string): string {
  return number.normalize('NFC').replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
}
