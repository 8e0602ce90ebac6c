import { useLocale } from './locale.ts'
import { formatMoney } from './money-format.ts'

interface Props {
  /** Minor units. */
  amount: number
  /** ISO 4217. */
  currency: string
}

export function Money({ amount, currency }: Props) {
  return <span className="figures">{formatMoney(useLocale(), { amount, currency })}</span>
}
