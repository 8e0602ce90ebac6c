import { moneyFormat } from '@atrium/contract/minor-units.ts'
import type { Money } from '@atrium/contract/money.ts'

/** An amount in the language's format, with the currency's number of digits: `$12.00`, `￥1,200`, `KWD 1.200`. */
export function formatMoney(locale: string, money: Money): string {
  const { options, value } = moneyFormat(money)
  return new Intl.NumberFormat(locale, options).format(value)
}
