import type { Money } from '../store/stored.ts'

/** The currencies that PayPal takes, by their decimals. */
const currencies = {
  2: 'AUD BRL CAD CNY CZK DKK EUR HKD ILS MYR MXN NOK NZD PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
  // The forint and the New Taiwan dollar have decimals elsewhere, not here.
  0: 'HUF JPY TWD'.split(' '),
} as const

/** Decimals of a currency; `undefined` if PayPal does not take it. */
export function decimalsOf(currency: string): 0 | 2 | undefined {
  if (currencies[2].includes(currency)) return 2
  return currencies[0].includes(currency) ? 0 : undefined
}

/** @returns minor units; `undefined` if the text has more decimals than the currency */
export function minorUnits(value: string, currency: string): number | undefined {
  const decimals = decimalsOf(currency) ?? 2
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d*)(?:\.(\d+))?$/.exec(value) ?? []
  if (fraction.slice(decimals).replaceAll('0', '') !== '') return undefined
  const amount =
    Number(whole || '0') * 10 ** decimals + Number(fraction.slice(0, decimals).padEnd(decimals, '0') || '0')
  return sign === '-' ? -amount : amount
}

/** `10.00`, or `1000` for yen: the way of orders, captures and sales. */
export function decimalText({ amount, currency }: Money): string {
  const decimals = decimalsOf(currency) ?? 2
  return (amount / 10 ** decimals).toFixed(decimals)
}

export function wireMoney(money: Money): { currency_code: string; value: string } {
  return { currency_code: money.currency, value: decimalText(money) }
}

/** `10.0`, `14.55`: the way of plans and subscriptions, which drop all final zeros but the first. */
export function billingMoney(money: Money): { currency_code: string; value: string } {
  return { currency_code: money.currency, value: decimalText(money).replace(/(\.\d)0$/, '$1') }
}

/** What PayPal keeps of a payment: 3.49 % and a fixed part, in the United States. */
export function feeOf({ amount, currency }: Money): number {
  const fixed = decimalsOf(currency) === 0 ? 40 : 49
  return Math.min(amount, Math.round(amount * 0.0349) + fixed)
}

/** A percentage of an amount, rounded half up. @param percentage decimal text: `19`, `7.7` */
export function shareOf(amount: number, percentage: string): number {
  return Math.round((amount * Number(percentage)) / 100)
}
