import { digitsOf } from './number.rules.ts'
import { complete, type Verdict } from './verdict.rules.ts'

const gap = ' / '

/**
 * `1227` → `12 / 27`, `5` → `05 / `; also formats browser autofill: `12/2027`, `2027-12`.
 * @param isDeleting removes the separator with the digit after it
 */
export function formatExpiry(text: string, isDeleting = false): string {
  const digits = paddedDigits(text)
  const month = digits.slice(0, 2)
  const year = digits.slice(2, 4)
  if (year !== '') return month + gap + year
  return month.length === 2 && !isDeleting ? month + gap : month
}

export interface Expiry {
  /** 1 to 12. */
  month: number
  /** Four digits. */
  year: number
}

/** The month and year of a complete expiry; `undefined` for an incomplete one. */
export function readExpiry(text: string): Expiry | undefined {
  const digits = paddedDigits(text)
  if (digits.length < 4) return undefined
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2, 4)) }
}

/** How many years ahead a card can expire. */
const mostYears = 50

export function judgeExpiry(text: string, now: Date): Verdict {
  const digits = paddedDigits(text)
  if (digits === '') return { state: 'empty', fault: 'incomplete_expiry' }
  if (digits.startsWith('00')) return { state: 'invalid', fault: 'invalid_expiry_month' }
  const expiry = readExpiry(text)
  if (!expiry) return { state: 'partial', fault: 'incomplete_expiry' }
  const thisYear = now.getFullYear()
  if (expiry.year < thisYear) return { state: 'invalid', fault: 'invalid_expiry_year_past' }
  if (expiry.year > thisYear + mostYears) return { state: 'invalid', fault: 'invalid_expiry_year' }
  const isOver = expiry.year === thisYear && expiry.month < now.getMonth() + 1
  return isOver ? { state: 'invalid', fault: 'invalid_expiry_month_past' } : complete
}

/** The digits so far as MMYY: a month that cannot have a second digit gets a leading zero. */
function paddedDigits(text: string): string {
  const [, firstYear, lastMonth] = /^\s*(20\d\d)\s*-\s*(\d\d)\s*$/.exec(text) ?? []
  if (firstYear && lastMonth) return lastMonth + firstYear.slice(2)

  const [left = '', right] = text.normalize('NFKC').split(/[/-]/)
  const month = digitsOf(left)
  const year = digitsOf(right ?? '')
  const isAlone = month.length === 1 && (month > '1' || right !== undefined)
  const isTooMuch = month.length > 1 && Number(month.slice(0, 2)) > 12
  const digits = (isAlone || isTooMuch ? '0' : '') + month + year
  return withoutCentury(digits)
}

/** `122027` → `1227` */
function withoutCentury(digits: string): string {
  return digits.length === 6 && digits.slice(2, 4) === '20' ? digits.slice(0, 2) + digits.slice(4) : digits.slice(0, 4)
}
