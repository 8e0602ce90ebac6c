import { isLuhn } from '../../src/features/cards/payment-methods/luhn.rules.ts'
import { networkOf } from './brand.rules.ts'
import { complete, type Verdict } from './verdict.rules.ts'

/** The digits of typed or pasted text, full-width digits included. */
export function digitsOf(text: string): string {
  return text.normalize('NFKC').replaceAll(/\D/g, '')
}

/** `4242424242424242` → `4242 4242 4242 4242`, `378282246310005` → `3782 822463 10005` */
export function formatNumber(text: string): string {
  const { lengths, groups } = networkOf(digitsOf(text))
  let rest = digitsOf(text).slice(0, lengths.at(-1))
  const parts = groups.map((size) => {
    const part = rest.slice(0, size)
    rest = rest.slice(size)
    return part
  })
  return parts.filter((part) => part !== '').join(' ')
}

export function judgeNumber(text: string): Verdict {
  const digits = digitsOf(text)
  if (digits === '') return { state: 'empty', fault: 'incomplete_number' }
  const { brand, lengths } = networkOf(digits)
  if (digits.length < lengths[0]) return { state: 'partial', fault: 'incomplete_number' }
  if (brand !== 'unknown' && lengths.includes(digits.length) && isLuhn(digits)) return complete
  const isLongest = digits.length >= (lengths.at(-1) ?? 0)
  return isLongest ? { state: 'invalid', fault: 'invalid_number' } : { state: 'partial', fault: 'invalid_number' }
}
