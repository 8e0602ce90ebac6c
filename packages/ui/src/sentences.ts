/** Sentences in a row: Japanese and Chinese set none apart with a space. */
export function joinSentences(locale: string, sentences: readonly string[]): string {
  return sentences.join(/^(ja|zh)/.test(locale) ? '' : ' ')
}
