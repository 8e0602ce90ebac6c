import type { ReactNode } from 'react'

export const commandGroups = [
  'tabs',
  'actions',
  'language',
  'scheme',
  'orders',
  'subscriptions',
  'licenses',
  'devices',
  'users',
] as const

/** Something that the command palette offers. */
export interface Command {
  key: string
  group: (typeof commandGroups)[number]
  label: string
  /** Of the label, if not the page's language. */
  lang?: string
  /** What distinguishes it from others of the same label. */
  detail?: string
  /** What else it is found by. */
  alias?: string
  icon?: ReactNode
  run(): void
}

/** What is offered before anything is typed: languages and color schemes have menus of their own beside it. */
const offeredAtFirst: readonly Command['group'][] = ['tabs', 'actions']

/** Japanese and Chinese are divided into words by the browser's dictionary. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** Scripts that are written without spaces between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

/**
 * The commands of which a label or an alias has every typed word, whatever its case, accents and ending, the best of each group first.
 * People also type questions: what only holds a sentence together is left out of them.
 * @param stopWords of the page's language, with spaces between them
 */
export function matching(commands: readonly Command[], typed: string, stopWords = ''): Command[] {
  const words = searchWords(typed, stopWords)
  if (words.length === 0) return commands.filter(({ group }) => offeredAtFirst.includes(group))
  return withMatches(commands, words, words.length)
}

/** The commands that have the most of the typed words: for a question with a word too many to find anything. */
export function nearest(commands: readonly Command[], typed: string, stopWords = ''): Command[] {
  const words = searchWords(typed, stopWords)
  const most = Math.max(...commands.map((command) => matchedWords(command, words).length))
  return most > 0 ? withMatches(commands, words, most) : []
}

/** What is typed without the words that match commands: `pia` of `remove Pia’s license`. */
export function unmatchedWords(commands: readonly Command[], typed: string, stopWords = ''): string {
  const ignored = new Set(folded(stopWords).split(' '))
  const isMatched = (word: string) =>
    ignored.has(word) || commands.some((command) => matchedWords(command, [word]).length > 0)
  return partsOf(typed)
    .filter((part) => folded(part) !== '' && !folded(part).split(' ').every(isMatched))
    .join(' ')
}

/** Between spaces an address stays whole. */
function partsOf(typed: string): string[] {
  return typed
    .replaceAll(/['’]/g, ' ')
    .split(/\s+/)
    .flatMap((part) => (unspaced.test(part) ? [...segmenter.segment(part)].map(({ segment }) => segment) : [part]))
}

/** The best of each group first. */
function withMatches(commands: readonly Command[], words: readonly string[], atLeast: number): Command[] {
  const ranked = commands
    .map((command) => ({ command, matched: matchedWords(command, words) }))
    .filter(({ matched }) => matched.length >= atLeast)
    .map(({ command, matched }) => ({ command, rank: rankOf(command, matched) }))
  return commandGroups.flatMap((group) =>
    ranked
      .filter(({ command }) => command.group === group)
      .sort((one, other) => one.rank - other.rank)
      .map(({ command }) => command),
  )
}

function matchedWords({ label, alias = '' }: Command, words: readonly string[]): string[] {
  const text = folded(`${label} ${alias}`)
  return words.filter((word) => placeOf(word, text) >= 0)
}

/** After all places of an alias. */
const beyond = 10_000

/** First those whose label has the very words, then by how early they stand in the alias, whole words before beginnings. */
function rankOf({ label, alias = '' }: Command, words: readonly string[]): number {
  const named = folded(label).split(' ')
  if (words.every((word) => named.includes(word))) return -1
  const text = folded(alias)
  return words.reduce((sum, word) => {
    const whole = ` ${text} `.indexOf(` ${word} `)
    return sum + (whole >= 0 ? whole : beyond + placeOf(word, text))
  }, 0)
}

function searchWords(typed: string, stopWords: string): string[] {
  // As one word, `l’ordinateur` would be none of ours.
  const spaced = typed.normalize('NFKC').replaceAll(/['’]/g, ' ')
  const words = [...segmenter.segment(spaced)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? folded(segment).split(' ') : [],
  )
  const ignored = new Set(folded(stopWords).split(' '))
  const meaningful = words.filter((word) => !ignored.has(word))
  // Of a name, or of a word that is still being typed, nothing may be left.
  return meaningful.length > 0 ? meaningful : words
}

/** Where a text has a word, or one that begins like it: in plurals and cases, endings differ. -1: nowhere. */
function placeOf(word: string, text: string): number {
  const ending = Math.max(0, Math.min(2, Math.trunc(word.length / 2) - 2))
  const stem = word.slice(0, word.length - ending)
  return unspaced.test(word) ? text.indexOf(stem) : ` ${text}`.indexOf(` ${stem}`)
}

/** Without case and accents, and with a space between words. */
function folded(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
