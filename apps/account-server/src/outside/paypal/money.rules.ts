import { minorUnitDigits } from '@atrium/contract/minor-units.ts'
import { z } from 'zod'

export const Money = z.object({ currency_code: z.string().length(3), value: z.string() })

/** Currencies without decimals at PayPal; the forint and the New Taiwan dollar have them elsewhere. */
const wholeCurrencies = ['HUF', 'JPY', 'TWD']

/** The currencies that PayPal takes. */
const currencies = new Set([
  ...wholeCurrencies,
  ...'AUD BRL CAD CNY CZK DKK EUR HKD ILS MYR MXN NOK NZD PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
])

function isTaken(currency: string): boolean {
  return currencies.has(currency)
}

/** Minor units as ISO 4217 has them, of an amount such as `10.0` or `1000`. */
export function minorUnits({ currency_code: currency, value }: z.output<typeof Money>): number {
  return Math.round(Number(value) * 10 ** minorUnitDigits(currency))
}

/** @returns undefined for an amount that PayPal cannot charge: decimals where it has none */
export function paypalMoney(amount: number, currency: string): z.output<typeof Money> | undefined {
  const value = amount / 10 ** minorUnitDigits(currency)
  const isWhole = wholeCurrencies.includes(currency)
  if (!isTaken(currency) || (isWhole && !Number.isInteger(value))) return undefined
  return { currency_code: currency, value: value.toFixed(isWhole ? 0 : minorUnitDigits(currency)) }
}

/** The smallest amount that PayPal can charge of a currency, in minor units as ISO 4217 has them. */
export function paypalStep(currency: string): number {
  return wholeCurrencies.includes(currency) ? 10 ** minorUnitDigits(currency) : 1
}
