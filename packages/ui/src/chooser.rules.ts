export interface Choice {
  /** Of a country or a state also what people type: `DE`, `CA`. */
  code: string
  name: string
}

/** The name itself, then the code, then names that begin with what was typed, then those that have it: Kansas is not Arkansas. */
export function bestFirst(list: readonly Choice[], typed: string): Choice[] {
  const wanted = plain(typed)
  return [0, 1, 2, 3].flatMap((rank) => list.filter((choice) => rankOf(choice, wanted) === rank))
}

/** The one whose name or code was typed in full. */
export function exactly(list: readonly Choice[], typed: string): Choice | undefined {
  const wanted = plain(typed)
  const [best] = bestFirst(list, typed)
  return best && (rankOf(best, wanted) ?? 2) < 2 ? best : undefined
}

function rankOf({ code, name }: Choice, wanted: string): number | undefined {
  const label = plain(name)
  if (label === wanted) return 0
  if (plain(code) === wanted) return 1
  if (label.startsWith(wanted)) return 2
  return label.includes(wanted) ? 3 : undefined
}

/** Without accents, and hiragana as katakana, whose own marks (U+3099, U+309A) make other syllables. */
function plain(text: string): string {
  return text
    .trim()
    .toLocaleLowerCase()
    .normalize('NFD')
    .replaceAll(/[^\P{Mn}\u3099\u309a]/gu, '')
    .normalize('NFC')
    .replaceAll(/[\u3041-\u3096]/g, (kana) => String.fromCodePoint((kana.codePointAt(0) ?? 0) + 0x60))
}
