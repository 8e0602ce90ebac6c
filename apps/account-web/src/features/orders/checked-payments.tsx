import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { checkedPaymentsQuery } from './orders.data.ts'

/** What the member has paid, and no order shows yet. */
export function CheckedPayments() {
  const { t } = useTranslation('orders')
  const locale = useLocale()
  const { data } = useQuery(checkedPaymentsQuery)

  return data?.list.map(({ id, provider, paidAt, amount, currency }) => {
    const date = formatDate(locale, new Date(paidAt * 1000), 'UTC')
    const paid =
      amount !== undefined && currency
        ? t(`checked.${provider}`, { date, amount: formatMoney(locale, { amount, currency }) })
        : t('checked.unknown', { date })
    return (
      <Notice key={id} tone="info" title={t('checked.title')}>
        {joinSentences(locale, [paid, t('checked.next')])}
      </Notice>
    )
  })
}
