import { withoutYearMark } from '@atrium/contract/day-format.ts'
import { moneyFormat } from '@atrium/contract/minor-units.ts'
import type { Money } from '@atrium/contract/money.ts'

/**
 * Intl's formatters, each made once: one takes 25 kB outside of the heap, which the garbage collector does not count, and a batch
 * of 20,000 invoices half a gigabyte.
 */
function once<Parameters extends readonly unknown[], Formatter>(
  make: (...parameters: Parameters) => Formatter,
): (...parameters: Parameters) => Formatter {
  const made = new Map<string, Formatter>()
  return (...parameters) => {
    const key = JSON.stringify(parameters)
    const formatter = made.get(key) ?? make(...parameters)
    made.set(key, formatter)
    return formatter
  }
}

/** Days of UTC, the same for every reader. */
export const dayFormat = once(
  (locale: string, dateStyle: 'medium' | 'long') => new Intl.DateTimeFormat(locale, { dateStyle, timeZone: 'UTC' }),
)

/** A day of UTC, in a sentence. */
export function formatDay(locale: string, date: Date): string {
  return withoutYearMark(dayFormat(locale, 'long').format(date))
}

/** Moments of UTC, which says so. */
export const momentFormat = once(
  (locale: string) =>
    new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: 'numeric',
      minute: '2-digit',
      timeZone: 'UTC',
      timeZoneName: 'short',
    }),
)

export const numberFormat = once(
  (locale: string, options: Intl.NumberFormatOptions = {}) => new Intl.NumberFormat(locale, options),
)

/** Names of countries by their code. */
export const countryNames = once((locale: string) => new Intl.DisplayNames([locale], { type: 'region' }))

/** An amount in the language's format. */
export function formatAmount(locale: string, money: Money): string {
  const { options, value } = moneyFormat(money)
  return numberFormat(locale, options).format(value)
}
