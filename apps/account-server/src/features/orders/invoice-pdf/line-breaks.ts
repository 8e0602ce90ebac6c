/// <reference path="./linebreak.d.ts" />
import LineBreaker from 'linebreak'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

interface Column {
  /** Points. */
  width: number
  /** Width of a text in points. */
  measure(text: string): number
}

/** Breaks a text into lines that fit: where Unicode allows a break (UAX #14), or inside what is longer than a line. */
export function breakLines(text: string, { width, measure }: Column): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  const add = (piece: string) => {
    if (line !== '' && used + measure(piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = ''
      used = 0
    }
    line += piece
    used += measure(piece)
  }

  for (const piece of piecesOf(text.trim())) {
    if (measure(piece.trimEnd()) <= width) add(piece)
    else for (const { segment } of graphemes.segment(piece)) add(segment)
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** Pieces between which a line may break, each with its trailing space. */
function* piecesOf(text: string) {
  const breaker = new LineBreaker(text)
  let start = 0
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    yield text.slice(start, next.position)
    start = next.position
  }
}
