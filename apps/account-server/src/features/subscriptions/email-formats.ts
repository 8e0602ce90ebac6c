import { english, type LocaleCode, localeByCode } from '@atrium/contract/locale.ts'
import { formatAmount, formatDay, numberFormat } from '@atrium/server-kit/formats.ts'

/** How emails in a language write dates, amounts and numbers. Days are those of UTC, the same for every reader. */
export function emailFormats(lang: LocaleCode) {
  const locale = localeByCode(lang) ?? english
  return {
    locale,
    code: locale.code,
    day: (date: Date) => formatDay(locale.code, date),
    terabytes: (value: number) =>
      numberFormat(locale.code, { style: 'unit', unit: 'terabyte', unitDisplay: 'short' }).format(value),
    number: (value: number) => numberFormat(locale.code).format(value),
    money: (amount: number, currency: string) => formatAmount(locale.code, { amount, currency }),
  }
}
