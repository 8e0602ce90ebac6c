import { type Brand, codeLengthsOf } from './brand.rules.ts'
import { digitsOf } from './number.rules.ts'
import { complete, type Verdict } from './verdict.rules.ts'

export function formatCode(text: string, brand: Brand): string {
  return digitsOf(text).slice(0, codeLengthsOf(brand).at(-1))
}

/** The security code on the back of a card, or on the front of an amex. */
export function judgeCode(text: string, brand: Brand): Verdict {
  const digits = digitsOf(text)
  if (codeLengthsOf(brand).includes(digits.length)) return complete
  return { state: digits === '' ? 'empty' : 'partial', fault: 'incomplete_cvc' }
}
