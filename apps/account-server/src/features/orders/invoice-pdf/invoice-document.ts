import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { AccountConfig } from '../../../config.ts'
import type { Buyer, OrderLine, orders } from '../orders.tables.ts'

/** Everything that stands on an invoice, a pro forma or a summary of an order. Amounts are minor units. */
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
  amount: number
  /** Part of `amount`; null where nobody knows it: then only the total is told. */
  tax: number | null
  currency: string
}

interface Subject extends Pick<InvoiceDocument, 'kind' | 'lang' | 'buyer'> {
  order: typeof orders.$inferSelect
  now: Date
}

type Seller = Pick<AccountConfig, 'BRAND_NAME' | 'BRAND_COLOR' | 'SELLER_NAME' | 'SELLER_ADDRESS' | 'SELLER_TAX_ID'>

/** What is written of an order now: it takes the seller as the settings have them. */
export function invoiceDocument({ order, now, ...asked }: Subject, config: Seller): InvoiceDocument {
  const { orderNumber, invoiceNumber, date, lines, amount, tax, currency } = order
  return {
    ...asked,
    ...{ orderNumber, invoiceNumber, lines, amount, tax, currency },
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
