import type { Money } from '@atrium/contract/money.ts'

/** An amount in the language's format, with the currency's number of digits: `$12.00`, `￥1,200`, `KWD 1.200`. */
export function formatMoney(locale: string, { amount, currency }: Money): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** digits)
}
