import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { isDue } from './subscriptions.rules.ts'

/** What could not be charged, what follows from it, and how to pay now. */
export function PaymentNotices({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const due = subscriptions.filter(isDue)
  if (due.length === 0) return null

  return (
    <>
      {due.map((subscription) => (
        <PaymentNotice key={subscription.stripeSubscriptionId} subscription={subscription} />
      ))}
    </>
  )
}

function PaymentNotice({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const { locale: shown } = usePage()
  const { appName, nextPaymentAttempt, accessEnd, isExpiring, dueAmount, currency, stripeSdkUrl } = subscription
  const day = (instant: string) => formatDate(locale, new Date(instant))
  const sentences = [
    ...(nextPaymentAttempt === '' ? [] : [t('due.retry', { date: day(nextPaymentAttempt) })]),
    ...(isExpiring === 1 ? [t('due.access', { date: day(accessEnd) })] : []),
  ]
  const amount = dueAmount !== undefined && currency ? formatMoney(locale, { amount: dueAmount, currency }) : undefined

  return (
    <Notice
      tone="bad"
      title={t('due.title', { product: appName })}
      action={
        stripeSdkUrl !== '' &&
        maySell(shown) && (
          <Button component="a" href={stripeSdkUrl} target="_blank" rel="noopener" color="bad">
            {amount ? t('due.pay', { amount }) : t('payNow')}
          </Button>
        )
      }
    >
      {sentences.join(' ')}
    </Notice>
  )
}
