import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { AccountConfig } from '../../../config.ts'
import type { Buyer, OrderLine, orders } from '../orders.tables.ts'

/** The content of an invoice, a pro forma or a summary. Amounts are minor units. */
export interface InvoiceDocument {
  kind: 'invoice' | 'pro_forma' | 'summary'
  lang: LocaleCode
  brand: { name: string; color: string }
  seller: { name: string; address: readonly string[]; taxId: string }
  buyer: Buyer
  orderNumber: string
  /** Empty: none. */
  invoiceNumber: string
  ordered: Date
  /** When the document is written. */
  issued: Date
  lines: readonly OrderLine[]
  /** Tax included. */
  total: number
  /** What was charged: the total, less or more the balance of the customer's account. */
  amount: number
  /** Part of the total; null if unknown: then only the total is shown. */
  tax: number | null
  currency: string
}

interface Subject extends Pick<InvoiceDocument, 'kind' | 'lang' | 'buyer'> {
  order: typeof orders.$inferSelect
  now: Date
}

type Seller = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_TAX_ID'>

/** The document of an order as of now, with the seller from the settings. */
export function invoiceDocument({ order, now, ...asked }: Subject, config: Seller): InvoiceDocument {
  const { orderNumber, invoiceNumber, date, lines, amount, tax, currency } = order
  const total = order.total ?? amount
  return {
    ...asked,
    ...{ orderNumber, invoiceNumber, lines, total, amount, tax, currency },
    ordered: date,
    issued: now,
    brand: { name: config.BRAND_NAME, color: config.BRAND_COLOR },
    seller: {
      name: config.SELLER_NAME,
      address: config.SELLER_ADDRESS.split('|').map((line) => line.trim()),
      taxId: config.SELLER_TAX_ID,
    },
  }
}
