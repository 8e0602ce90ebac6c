import { textOn } from '@atrium/contract/contrast.ts'
import type { InvoiceDocument } from './invoice-document.ts'
import type { Words } from './invoice-words.ts'
import {
  decorate,
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
} from './paper.ts'

const inner = sheet.width - 2 * sheet.margin
const label: TextStyle = { size: 8.5, color: ink.muted }
const value: TextStyle = { size: 10 }
const strong: TextStyle = { size: 10, weight: 'bold' }

interface Head {
  paper: Paper
  root: Part
  invoice: InvoiceDocument
  words: Words
}

/** Draws logo, title, numbers and dates, seller and buyer. Returns the lower edge. */
export function drawHead(head: Head): number {
  drawBrand(head)
  const facts = drawFacts(head, drawTitle(head) + 14)
  return drawParties(head, (head.invoice.kind === 'pro_forma' ? drawNotice(head, facts + 18) : facts) + 20)
}

function drawBrand({ paper, invoice, root }: Head): void {
  const { document } = paper
  decorate(paper, () => {
    document.save().translate(sheet.margin, 46).scale(1.1)
    document
      .path('M1.5 0h8.3L16 6.2v12.3a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 0 18.5v-17A1.5 1.5 0 0 1 1.5 0Z')
      .fill(invoice.brand.color)
    document.path('M4 11h8M4 15h5').lineWidth(1.8).lineCap('round').stroke(textOn(invoice.brand.color))
    document.restore()
  })
  part(paper, 'P', root, () => {
    drawLines(paper, [invoice.brand.name], { size: 15, weight: 'bold' }, { x: sheet.margin + 26, y: 46, width: inner })
  })
}

function drawTitle({ paper, root, words }: Head): number {
  const style: TextStyle = { size: 25, weight: 'bold' }
  const place = { x: sheet.margin, y: 98, width: inner }
  const lines = linesOf(paper, words.title, { ...style, width: inner })
  part(paper, 'H1', root, () => void drawLines(paper, lines, style, place))
  return place.y + lines.length * lineHeight(style)
}

/** The numbers and dates, in a row. */
function drawFacts({ paper, root, invoice, words }: Head, y: number): number {
  const isSummary = invoice.kind === 'summary'
  const facts = [
    ...(isSummary ? [] : [[words.invoiceNumber, invoice.invoiceNumber]]),
    ...(invoice.kind === 'invoice' ? [[words.invoiceDate, words.date(invoice.issued)]] : []),
    [words.orderNumber, invoice.orderNumber],
    [words.orderDate, words.date(invoice.ordered)],
  ]
  const width = inner / facts.length
  const section = part(paper, 'Sect', root)
  rule(paper, y)
  const ends = facts.map(([name = '', fact = ''], index) => {
    const column = { x: sheet.margin + index * width, y: y + 11, width: width - 12 }
    return drawStack(paper, section, column, [
      [name, label],
      [fact, strong],
    ])
  })
  const end = Math.max(...ends) + 11
  rule(paper, end)
  return end
}

/** A prominent notice that a pro forma is not an invoice. */
function drawNotice({ paper, root, words }: Head, y: number): number {
  const style: TextStyle = { size: 9.5 }
  const place = { x: sheet.margin + 14, y: y + 3, width: inner - 14 }
  const lines = linesOf(paper, words.note, { ...style, width: place.width })
  const end = place.y + lines.length * lineHeight(style) + 3
  decorate(paper, () => paper.document.rect(sheet.margin, y, 3, end - y).fill(ink.warning))
  part(paper, 'P', root, () => void drawLines(paper, lines, style, place))
  return end
}

function drawParties({ paper, root, invoice, words }: Head, y: number): number {
  const { seller, buyer } = invoice
  const width = inner / 2 - 16
  const from = stackOf([seller.name, ...seller.address, words.taxId(seller.taxId)])
  const to = stackOf([
    buyer.company || buyer.name,
    buyer.company && buyer.name,
    ...buyer.address,
    words.country(buyer.country),
    buyer.email,
    ...(buyer.taxIds ?? []).map(words.taxId),
  ])
  const left = drawStack(paper, part(paper, 'Sect', root), { x: sheet.margin, y, width }, [
    [words.from, label],
    ...from,
  ])
  const right = drawStack(paper, part(paper, 'Sect', root), { x: sheet.margin + inner / 2, y, width }, [
    [words.to, label],
    ...to,
  ])
  return Math.max(left, right)
}

type Stack = readonly (readonly [text: string, style: TextStyle])[]

/** The first line in bold; empty lines are omitted. */
function stackOf(texts: readonly string[]): Stack {
  return texts.filter((text) => text.trim() !== '').map((text, index) => [text, index === 0 ? strong : value] as const)
}

/** Draws texts below each other; returns the lower edge. */
function drawStack(paper: Paper, parent: Part, place: { x: number; y: number; width: number }, stack: Stack): number {
  let { y } = place
  for (const [text, style] of stack) {
    const lines = linesOf(paper, text, { ...style, width: place.width })
    part(paper, 'P', parent, () => void drawLines(paper, lines, style, { ...place, y }))
    y += lines.length * lineHeight(style) + (style === label ? 2 : 1)
  }
  return y
}
