import { wordSegmenter } from '@atrium/server-kit/formats.ts'

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

interface Column {
  /** Points. */
  width: number
  /** Width of a text in points. */
  measure(text: string): number
  /** Language of the text: Japanese and Chinese have no spaces between words. */
  lang: string
}

/** Breaks a text into lines that fit: between words if possible, inside a word that is longer than a line. */
export function breakLines(text: string, { width, measure, lang }: Column): string[] {
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

  for (const piece of piecesOf(text, lang)) {
    if (measure(piece.trimEnd()) <= width) add(piece)
    else for (const { segment } of graphemes.segment(piece)) add(segment)
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}

/** Pieces between which a line may break, each with its trailing space. */
function piecesOf(text: string, lang: string): string[] {
  const pieces: string[] = []
  let mayBreak = false
  for (const { segment } of wordSegmenter(lang).segment(text.trim())) {
    const last = pieces.at(-1)
    const starts = mayBreak || (last !== undefined && isBreakable(last, segment))
    if (last === undefined || (starts && !staysBehind.test(segment))) pieces.push(segment)
    else pieces[pieces.length - 1] = last + segment
    mayBreak = breakAfter.test(segment)
  }
  return pieces
}

/** A breakable space, or a hyphen between two words. */
const breakAfter = /[ \u3000\u2013\u2014/-]$/

/** Closing brackets, punctuation, spaces and small kana never begin a line; opening brackets never end one. */
const staysBehind = /^[\s\p{Pe}\p{Pf}.,:;!?%、。，．：；！？…‥・ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ々〜～]/u
const opensWhatFollows = /[\p{Ps}\p{Pi}]$/u
const withoutSpaces = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u

function isBreakable(before: string, after: string): boolean {
  if (opensWhatFollows.test(before)) return false
  return withoutSpaces.test(before.at(-1) ?? '') || withoutSpaces.test(after.at(0) ?? '')
}
