import type Stripe from 'stripe'
import type { Line } from '../store/billing-hidden.ts'
import { dayText } from '../subscriptions/texts.rules.ts'
import { moneyText } from '../wire/money.rules.ts'

/** Points from the top of an A4 page to its first line, and from one line to the next. */
const top = 780
const lineHeight = 18
const linesOnPage = 38

/** The provider's document of an invoice: a small PDF of text, with as many pages as it needs. */
export function invoicePdf(invoice: Stripe.Invoice, lines: readonly Line[]): Buffer {
  const texts = textsOf(invoice, lines)
  const pages = Array.from({ length: Math.ceil(texts.length / linesOnPage) }, (_, page) =>
    texts.slice(page * linesOnPage, (page + 1) * linesOnPage),
  )
  return fileOf(pages.map(contentOf))
}

function textsOf(invoice: Stripe.Invoice, lines: readonly Line[]): string[] {
  const money = (amount: number) => moneyText(amount, invoice.currency)
  const taxes = invoice.total_taxes ?? []
  const discount = (invoice.total_discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return [
    `Invoice ${invoice.number ?? ''} (sandbox: no real invoice)`,
    '',
    `Date: ${dayText(invoice.created)}`,
    `Bill to: ${[invoice.customer_name, invoice.customer_email].filter(Boolean).join(', ')}`,
    '',
    ...lines.map(({ line }) => `${line.description ?? 'Item'}: ${money(line.amount)}`),
    '',
    `Subtotal: ${money(invoice.subtotal)}`,
    ...(discount > 0 ? [`Discount: ${money(-discount)}`] : []),
    ...taxes.map(({ amount, tax_behavior }) => `Tax (${tax_behavior}): ${money(amount)}`),
    `Total: ${money(invoice.total)}`,
    `Applied balance: ${money(invoice.amount_due - invoice.total)}`,
    `Amount due: ${money(invoice.amount_due)}`,
    `Paid: ${money(invoice.amount_paid)}`,
  ]
}

/** The drawing instructions of a page. */
function contentOf(texts: readonly string[]): string {
  const shown = texts.map((text) => `(${escaped(text)}) Tj T*`)
  return ['BT', '/F1 11 Tf', `${lineHeight} TL`, `50 ${top} Td`, ...shown, 'ET'].join('\n')
}

/** The built-in fonts know Latin letters only. */
function escaped(text: string): string {
  return text
    .replaceAll('×', 'x')
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .replaceAll(/[\\()]/g, '\\$&')
}

/** Objects 1 to 3 are the catalog, the pages and the font; then a page and its content, in turn. */
function fileOf(contents: readonly string[]): Buffer {
  const kids = contents.map((_, page) => `${4 + 2 * page} 0 R`).join(' ')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, page) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + 2 * page} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ]
  let file = '%PDF-1.4\n'
  const offsets = objects.map((object, place) => {
    const offset = file.length
    file += `${place + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  file += `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file, 'latin1')
}
