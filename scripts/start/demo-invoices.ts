import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { InvoiceDocument } from '../../apps/account-server/src/features/orders/invoice-pdf/invoice-document.ts'
import type { RenderInvoice } from '../../apps/account-server/src/features/orders/invoice-pdf/renderer.ts'
import { daysBefore } from '../../demo/folio/dates.ts'
import type { FolioRecord } from '../../demo/folio/record.ts'

type Order = Extract<FolioRecord, { type: 'order' }>

interface Options {
  /** Where the file to import is written: the PDFs are in a folder beside it. */
  directory: string
  today: Date
  render: RenderInvoice
}

const folder = 'invoices'

/**
 * Writes the vendor's own invoices of what the cast bought in the last year; what is older has none, and gets a summary.
 * @returns the records, whose orders name their files
 */
export async function withInvoices(
  records: readonly FolioRecord[],
  { directory, today, render }: Options,
): Promise<FolioRecord[]> {
  await mkdir(join(directory, folder), { recursive: true })
  const since = daysBefore(today, 365, 0)
  const files = new Map<string, string>()
  for (const order of records.filter(isOrder)) {
    const isInvoiced = order.status === 'CO' && order.email !== 'bulk@folio.test' && new Date(order.date) > since
    if (!isInvoiced) continue
    const invoiceFile = `${folder}/${order.orderNumber}.pdf`
    await writeFile(join(directory, invoiceFile), await render(invoiceOf(order, records)))
    files.set(order.orderNumber, invoiceFile)
  }
  return records.map((record) => {
    const invoiceFile = isOrder(record) ? files.get(record.orderNumber) : undefined
    return isOrder(record) && invoiceFile ? { ...record, invoiceFile } : record
  })
}

function isOrder(record: FolioRecord): record is Order {
  return record.type === 'order'
}

function invoiceOf(order: Order, records: readonly FolioRecord[]): InvoiceDocument {
  const { orderNumber, invoiceNumber = '', amount, tax = null, currency } = order
  const date = new Date(order.date)
  return {
    ...{ kind: 'invoice', lang: 'en-us', orderNumber, invoiceNumber, amount, total: amount, tax, currency },
    ...{ ordered: date, issued: date, buyer: buyerOf(order.email, records) },
    lines: order.lines.map(({ text, amount: net = null }) => ({ text, amount: net, productCode: '' })),
    brand: { name: 'Folio', color: '#3b51c4' },
    seller: {
      name: 'Folio Software Inc.',
      address: ['548 Market Street', 'San Francisco, CA 94104', 'United States'],
      taxId: '',
    },
  }
}

/** The member at their default address. */
function buyerOf(email: string, records: readonly FolioRecord[]): InvoiceDocument['buyer'] {
  const member = records.find((record) => record.type === 'member' && record.email === email)
  const home = records.find((record) => record.type === 'address' && record.email === email)
  if (member?.type !== 'member' || home?.type !== 'address') throw new Error(`${email} has no name or no address`)
  const { firstName, lastName, company = '' } = member
  const { address = '', city = '', zip, country } = home
  return { name: `${firstName} ${lastName}`, company, email, address: [address, `${city} ${zip}`], country }
}
