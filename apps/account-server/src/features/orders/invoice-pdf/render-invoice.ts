import type { InvoiceDocument } from './invoice-document.ts'
import { drawHead } from './invoice-head.ts'
import { drawTable, drawTotals } from './invoice-table.ts'
import { type Words, wordsOf } from './invoice-words.ts'
import { closePaper, drawLines, ink, linesOf, openPaper, type Paper, part, rule, sheet } from './paper.ts'

/** Renders an invoice, a pro forma or a summary as a PDF. Takes CPU time, a long one seconds: see `renderer.ts`. */
export function renderInvoice(invoice: InvoiceDocument): Promise<Buffer> {
  const words = wordsOf(invoice)
  const number = invoice.kind === 'summary' ? invoice.orderNumber : invoice.invoiceNumber
  const paper = openPaper({
    title: `${words.title} ${number}`,
    author: invoice.seller.name,
    lang: invoice.lang,
    buyerCountry: invoice.buyer.country,
    now: invoice.issued,
  })
  const root = part(paper, 'Document', undefined)
  const drawing = { paper, root, invoice, words }

  const below = drawHead(drawing)
  drawTotals(drawing, drawTable(drawing, below + 26))
  drawFeet(paper, `${words.title} ${number} · ${invoice.seller.name}`, words)
  return closePaper(paper)
}

/** Draws the footer of each page: the document it belongs to, and the page number. */
function drawFeet(paper: Paper, belongsTo: string, words: Words): void {
  const { document } = paper
  const { count } = document.bufferedPageRange()
  const style = { size: 8, color: ink.muted }
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(index)
    const y = sheet.height - 50
    const place = { x: sheet.margin, y: y + 8, width: sheet.width - 2 * sheet.margin }
    const page = words.page(index + 1, count)
    rule(paper, y)
    document.markContent('Artifact', { type: 'Pagination' })
    drawLines(paper, linesOf(paper, belongsTo, { ...style, width: place.width - 120 }).slice(0, 1), style, place)
    drawLines(paper, [page], style, { ...place, align: 'right' })
    document.endMarkedContent()
  }
}
