/** The text on one line: a number is not parted from its word. */
export function unbroken(text: string): string {
  return text.replaceAll(' ', '\u00a0')
}

/** `3 seats · Annual`: the parts that there are. No line begins with a dot. */
export function joinWithDots(parts: readonly (string | number | undefined)[]): string {
  return parts.filter(Boolean).join('\u00a0· ')
}

/** A line does not part "8 seats" or "× 3", nor begin with a dot. */
export function numbersTogether(text: string): string {
  return text
    .replace(/(\d) (?=\p{L})/gu, '$1\u00a0')
    .replace(/× (?=\d)/g, '×\u00a0')
    .replaceAll(' ·', '\u00a0·')
}
