import { plainLine } from './text.ts'

/** An emailed code without what people type or paste along with its six digits: `123 456`, `123-456`. */
export function codeDigits(typed: string): string {
  return plainLine(typed).replace(/[\s\p{Dash_Punctuation}]+/gu, '')
}
