import type { ChangeQuote } from '@atrium/contract/change-quotes.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

type Balance = Pick<ChangeQuote, 'owedBefore' | 'creditUsed' | 'movedToNext' | 'creditAdded' | 'currency'>

/** What stands between the total of a change and its charge. */
export function BalanceLines({ amounts }: { amounts: Balance }) {
  const { t } = useTranslation('subscription-changes')
  const locale = useLocale()
  const { owedBefore, creditUsed, movedToNext, creditAdded, currency } = amounts
  const money = (amount: number) => formatMoney(locale, { amount, currency })
  return (
    <>
      {owedBefore > 0 && <AmountLine label={t('change.owedBefore')}>{money(owedBefore)}</AmountLine>}
      {creditUsed > 0 && <AmountLine label={t('change.creditUsed')}>{money(-creditUsed)}</AmountLine>}
      {movedToNext > 0 && <AmountLine label={t('change.movedToNext')}>{money(-movedToNext)}</AmountLine>}
      {creditAdded > 0 && <AmountLine label={t('change.creditAdded')}>{money(creditAdded)}</AmountLine>}
    </>
  )
}

export function AmountLine({ label, children }: { label: ReactNode; children: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
