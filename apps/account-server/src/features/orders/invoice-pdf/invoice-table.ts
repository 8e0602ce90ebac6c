import { isDiscount, type OrderTotal, orderTotals } from '../order-totals.rules.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { Words } from './invoice-words.ts'
import {
  drawLines,
  ink,
  lineHeight,
  linesOf,
  type Paper,
  type Part,
  part,
  rule,
  sheet,
  type TextStyle,
  widthOf,
} from './paper.ts'

const inner = sheet.width - 2 * sheet.margin
const padding = 8
const gap = 24
const head: TextStyle = { size: 8.5, weight: 'bold', color: ink.muted }
const cell: TextStyle = { size: 10 }
const lowest = sheet.height - sheet.foot

interface Table {
  paper: Paper
  root: Part
  invoice: InvoiceDocument
  words: Words
}

interface Row {
  text: string
  amount: string
  style: TextStyle
}

/** Draws the order's lines and amounts, without its discount, over as many pages as needed. Returns the lower edge. */
export function drawTable({ paper, root, invoice, words }: Table, from: number): number {
  const rows = invoice.lines
    .filter((line) => !isDiscount(line))
    .map((line) => ({ text: line.text, amount: words.amount(line.amount), style: cell }))
  const heading = { text: words.description, amount: words.amounts, style: head }
  const amountWidth = Math.max(...[heading, ...rows].map((row) => widthOf(paper, row.amount, row.style)))
  const textWidth = inner - amountWidth - gap
  const table = part(paper, 'Table', root)

  const drawRow = (row: Row, y: number, tag: 'TH' | 'TD') => {
    const lines = linesOf(paper, row.text, { ...row.style, width: textWidth })
    const line = part(paper, 'TR', table)
    const place = { x: sheet.margin, y: y + padding, width: inner }
    part(paper, tag, line, () => void drawLines(paper, lines, row.style, place))
    part(paper, tag, line, () => void drawLines(paper, [row.amount], row.style, { ...place, align: 'right' }))
    const end = y + heightOf(lines.length, row.style)
    rule(paper, end)
    return end
  }

  let y = drawRow(heading, from, 'TH')
  for (const row of rows) {
    const lines = linesOf(paper, row.text, { ...row.style, width: textWidth })
    if (y + heightOf(lines.length, row.style) > lowest) {
      paper.document.addPage()
      y = drawRow(heading, sheet.margin, 'TH')
    }
    y = drawRow(row, y, 'TD')
  }
  return y
}

function heightOf(lines: number, style: TextStyle): number {
  return Math.max(1, lines) * lineHeight(style) + 2 * padding
}

const small: TextStyle = { size: 10, color: ink.muted }
const large: TextStyle = { size: 13, weight: 'bold' }

/** Subtotal, discount, tax and total; then, if the balance of the customer's account took part, what was charged. */
export function totalsOf(invoice: InvoiceDocument, words: Words): Row[] {
  return orderTotals(invoice).map(({ name, amount }) => ({
    text: words.totals[name],
    amount: words.amount(amount),
    style: styleOf(name),
  }))
}

function styleOf(name: OrderTotal['name']): TextStyle {
  if (name === 'total') return large
  return name === 'charged' ? { ...small, weight: 'bold' } : small
}

/** Draws the totals and the closing sentence, together on one page. */
export function drawTotals({ paper, root, invoice, words }: Table, from: number): void {
  const rows = totalsOf(invoice, words)
  const note = invoice.kind === 'pro_forma' ? [] : linesOf(paper, words.note, { ...small, size: 9, width: inner })

  let y = from + 10
  if (y + rows.length * 24 + note.length * 13 + 60 > lowest) {
    paper.document.addPage()
    y = sheet.margin
  }

  const width = inner * 0.45
  const place = { x: sheet.width - sheet.margin - width, width }
  const table = part(paper, 'Table', root)
  for (const row of rows) {
    if (row.style === large) {
      y += 6
      rule(paper, y, { color: invoice.brand.color, thickness: 1.5, from: place.x })
      y += 8
    }
    y = drawTotal(paper, part(paper, 'TR', table), row, { ...place, y }) + 5
  }
  if (note.length > 0) {
    const below = { x: sheet.margin, y: y + 26, width: inner }
    part(paper, 'P', root, () => void drawLines(paper, note, { ...small, size: 9 }, below))
  }
}

/** A long label or a very large amount is wrapped. */
function drawTotal(paper: Paper, line: Part, row: Row, place: { x: number; y: number; width: number }): number {
  const used = widthOf(paper, row.amount, row.style)
  const lines = linesOf(paper, row.text, { ...row.style, width: Math.max(60, place.width - used - 12) })
  part(paper, 'TH', line, () => void drawLines(paper, lines, row.style, place))
  const amountStyle = { ...row.style, color: ink.text }
  part(paper, 'TD', line, () => void drawLines(paper, [row.amount], amountStyle, { ...place, align: 'right' }))
  return place.y + lines.length * lineHeight(row.style)
}
