import type { LocaleCode } from '@atrium/contract/locale.ts'
import type { Font } from 'fontkit'
import PDFDocument from 'pdfkit'
import { type Families, familiesFor, plainText, runsOf, type Weight } from './fonts.ts'
import { breakLines } from './line-breaks.ts'

declare global {
  namespace PDFKit.Mixins {
    interface PDFFont {
      /** A font that is parsed already: the types of PDFKit do not know it. */
      registerFont(name: string, font: Font): this
    }
  }
}

/** A4 pages with text in any script, each character in a font that has it. Lengths are points. */
export interface Paper {
  document: PDFKit.PDFDocument
  families: Families
  /** Fonts that are registered in the document already. */
  fonts: Set<string>
}

export const sheet = { width: 595.28, height: 841.89, margin: 50, foot: 78 } as const

export const ink = { text: '#1d1b18', muted: '#6b665b', line: '#e7e4dd', warning: '#d9930d' } as const

export interface TextStyle {
  size: number
  weight?: Weight
  color?: string
}

export interface Place {
  x: number
  /** Upper edge of the first line. */
  y: number
  width: number
  align?: 'left' | 'right'
}

/** A structure element, for screen readers. */
export type Part = PDFKit.PDFStructureElement

type Tag = 'Document' | 'Sect' | 'H1' | 'H2' | 'P' | 'Table' | 'TR' | 'TH' | 'TD'

interface PaperOptions {
  title: string
  author: string
  lang: LocaleCode
  buyerCountry: string
  now: Date
}

export function openPaper({ title, author, lang, buyerCountry, now }: PaperOptions): Paper {
  const document = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    compress: true,
    pdfVersion: '1.7',
    tagged: true,
    lang,
    displayTitle: true,
    // No standard font: fonts that are not embedded look different in each viewer.
    font: '',
    info: { Title: metadata(title), Author: metadata(author), CreationDate: now, ModDate: now },
  })
  return { document, families: familiesFor(lang, buyerCountry), fonts: new Set() }
}

/** PDFKit writes these into XML unescaped, so special characters are replaced by similar ones. */
function metadata(text: string): string {
  return plainText(text).replaceAll('&', '\uff06').replaceAll('<', '\u2039').replaceAll('>', '\u203a')
}

/** The finished file. */
export async function closePaper({ document }: Paper): Promise<Buffer> {
  const chunks: Buffer[] = []
  document.end()
  for await (const chunk of document) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

export function lineHeight({ size }: TextStyle): number {
  return size * 1.4
}

export function widthOf(paper: Paper, text: string, style: TextStyle): number {
  return runsOf(plainText(text), paper.families, style.weight ?? 'regular').reduce(
    (width, run) => width + choose(paper, run, style).widthOfString(run.text),
    0,
  )
}

export function linesOf(paper: Paper, text: string, { width, ...style }: TextStyle & { width: number }): string[] {
  const measure = (piece: string) => widthOf(paper, piece, style)
  return breakLines(plainText(text), { width, measure })
}

/** Draws lines without breaking them; returns the lower edge of the last one. */
export function drawLines(paper: Paper, lines: readonly string[], style: TextStyle, place: Place): number {
  lines.forEach((line, index) => {
    // By baseline, so that fonts of different heights are aligned.
    const baseline = place.y + index * lineHeight(style) + style.size * 1.05
    drawLine(paper, line, style, { ...place, y: baseline })
  })
  return place.y + lines.length * lineHeight(style)
}

function drawLine(paper: Paper, line: string, style: TextStyle, { x, y, width, align = 'left' }: Place): void {
  let left = align === 'left' ? x : x + width - widthOf(paper, line, style)
  for (const run of runsOf(plainText(line), paper.families, style.weight ?? 'regular')) {
    choose(paper, run, style)
      .fillColor(style.color ?? ink.text)
      .text(run.text, left, y, { lineBreak: false, baseline: 'alphabetic' })
    left += paper.document.widthOfString(run.text)
  }
}

function choose({ document, fonts }: Paper, { font }: ReturnType<typeof runsOf>[number], { size }: TextStyle) {
  if (!fonts.has(font.name)) {
    document.registerFont(font.name, font.parsed)
    fonts.add(font.name)
  }
  return document.font(font.name, size)
}

/** Begins a structure element with the content that `draw` draws. */
export function part({ document }: Paper, tag: Tag, parent: Part | undefined, draw?: () => void): Part {
  const element = document.struct(tag)
  if (parent) parent.add(element)
  else document.addStructure(element)
  if (draw) element.add(draw)
  return element
}

/** Draws decoration that screen readers skip: rules, logo, page numbers. */
export function decorate({ document }: Paper, draw: () => void): void {
  document.markContent('Artifact', { type: 'Layout' })
  draw()
  document.endMarkedContent()
}

interface RuleStyle {
  color?: string
  thickness?: number
  from?: number
}

/** A rule from here to the right margin. */
export function rule(paper: Paper, y: number, style: RuleStyle = {}): void {
  const { color = ink.line, thickness = 0.75, from = sheet.margin } = style
  decorate(paper, () => {
    paper.document
      .moveTo(from, y)
      .lineTo(sheet.width - sheet.margin, y)
      .lineWidth(thickness)
      .strokeColor(color)
      .stroke()
  })
}
