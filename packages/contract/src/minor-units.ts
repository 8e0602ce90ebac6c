import type { Money } from './money.ts'

const withoutMinorUnit = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '))
const withThousandths = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '))

/** How many digits the minor unit of a currency has (ISO 4217). Not what Intl shows, which is what is usual: forints without. */
export function minorUnitDigits(currency: string): 0 | 2 | 3 {
  if (withoutMinorUnit.has(currency)) return 0
  return withThousandths.has(currency) ? 3 : 2
}

/** What Intl needs to show an amount: the currency’s usual digits, or all of them where the amount has a fraction. */
export function moneyFormat({ amount, currency }: Money): { options: Intl.NumberFormatOptions; value: number } {
  const digits = minorUnitDigits(currency)
  const value = amount / 10 ** digits
  const isWhole = Number.isInteger(value)
  const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return { options: { style: 'currency', currency, ...(!isWhole && exact) }, value }
}
