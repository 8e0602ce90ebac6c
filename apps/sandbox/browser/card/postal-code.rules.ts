import { complete, type Verdict } from './verdict.rules.ts'

/** Countries whose banks check the postal code, with its pattern. */
const patterns: Readonly<Record<string, RegExp>> = {
  US: /^\d{5}(-?\d{4})?$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/,
}

export function needsPostalCode(country: string): boolean {
  return Object.hasOwn(patterns, country)
}

export function formatPostalCode(text: string, country: string): string {
  const plain = text.normalize('NFKC').trimStart().slice(0, 12)
  return country === 'US' ? plain.replaceAll(/[^\d-]/g, '').slice(0, 10) : plain.toUpperCase()
}

/** @param country without one, any postal code is accepted */
export function judgePostalCode(text: string, country: string): Verdict {
  const code = text.trim()
  if (code === '') return { state: 'empty', fault: 'incomplete_zip' }
  const isWhole = patterns[country]?.test(code) ?? code.length >= 3
  return isWhole ? complete : { state: 'partial', fault: 'incomplete_zip' }
}
