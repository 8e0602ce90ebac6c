import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useDeclineSentences } from '../../page/use-decline-sentences.ts'
import classes from './cards.module.css'
import { unpaidQuery } from './overdue.data.ts'

/** Payments that failed and cannot be made here: why, and when they are tried again. */
export function UnpaidNotices() {
  const { data: unpaid = [] } = useQuery(unpaidQuery)
  return unpaid.map((one) => <UnpaidNotice key={one.stripeSubscriptionId} subscription={one} />)
}

function UnpaidNotice({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('cards')
  const locale = useLocale()
  const { appName: product, nextPaymentAttempt: next, paymentMethodId } = subscription
  const sentences = [
    ...useDeclineSentences(subscription),
    // As in My Subscriptions.
    ...(next === '' ? [] : [t('overdue.later', { date: formatDate(locale, new Date(next), 'UTC') })]),
    ...(paymentMethodId === '' ? [t('overdue.default')] : []),
  ]
  return (
    <div className={classes.notice}>
      <Notice tone="bad" title={t('overdue.title', { product })}>
        {joinSentences(locale, sentences)}
      </Notice>
    </div>
  )
}
