import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { dueAction, isDue } from './subscriptions.rules.ts'
import { usePaymentWatch } from './use-payment-watch.ts'

/** What could not be charged, what follows from it, and what to do now. */
export function PaymentNotices({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const due = subscriptions.filter(isDue)
  const isAlone = ({ appName }: Subscription) => subscriptions.filter((one) => one.appName === appName).length === 1

  return due.map((subscription) => (
    <PaymentNotice
      key={subscription.stripeSubscriptionId}
      subscription={subscription}
      isNameEnough={isAlone(subscription)}
    />
  ))
}

interface Props {
  subscription: Subscription
  /** No other subscription in the list has the same product. */
  isNameEnough: boolean
}

function PaymentNotice({ subscription, isNameEnough }: Props) {
  const { t } = useTranslation('subscriptions')
  const { isWatching, watch } = usePaymentWatch()
  const { appName, stripeSubscriptionId: id } = subscription
  const locale = useLocale()
  const sentences = useSentences(subscription)

  return (
    <Notice
      tone="bad"
      title={t('due.title', { product: isNameEnough ? appName : `${appName} (${id})` })}
      action={<PayButton subscription={subscription} isWatching={isWatching} onPay={watch} />}
    >
      <span aria-live="polite">{isWatching ? t('due.checking') : joinSentences(locale, sentences)}</span>
    </Notice>
  )
}

function useSentences(subscription: Subscription): string[] {
  const { t } = useTranslation('subscriptions')
  const { locale: shown } = usePage()
  const locale = useLocale()
  const { nextPaymentAttempt, accessEnd, isExpiring, needsConfirmation } = subscription
  const action = dueAction(subscription, maySell(shown))
  const amount = useAmount(subscription)
  // As in emails and orders, which both people of a conversation may read.
  const day = (instant: string) => formatDate(locale, new Date(instant), 'UTC')
  return [
    ...(needsConfirmation === 1 ? [t('due.bank')] : []),
    ...(amount && action !== 'pay' ? [t('due.amount', { amount })] : []),
    ...(nextPaymentAttempt === '' || needsConfirmation === 1
      ? []
      : [t('due.retry', { date: day(nextPaymentAttempt) })]),
    ...(isExpiring === 1 ? [t('due.access', { date: day(accessEnd) })] : []),
    ...(action === 'paypal' || action === 'card' ? [t(`due.${action}`)] : []),
  ]
}

function useAmount({ dueAmount, currency }: Subscription): string | undefined {
  const locale = useLocale()
  return dueAmount !== undefined && currency ? formatMoney(locale, { amount: dueAmount, currency }) : undefined
}

interface PayButtonProps {
  subscription: Subscription
  isWatching: boolean
  onPay(): void
}

function PayButton({ subscription, isWatching, onPay }: PayButtonProps) {
  const { t } = useTranslation('subscriptions')
  const { t: frame } = useTranslation('frame')
  const { locale } = usePage()
  const amount = useAmount(subscription)
  const action = dueAction(subscription, maySell(locale))
  if (action === 'card') {
    return (
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/account" search={{ tab: 'payment-option-management' }} />}
      >
        {frame('tabs.payment-option-management')}
      </Button>
    )
  }
  if (action !== 'pay' && action !== 'confirm') return null
  const pay = amount ? t('due.pay', { amount }) : t('payNow')
  return (
    <Button
      component="a"
      href={subscription.stripeSdkUrl}
      target="_blank"
      rel="noopener"
      color="bad"
      variant={isWatching ? 'light' : 'filled'}
      onClick={onPay}
    >
      {action === 'confirm' ? t('due.confirm') : pay}
    </Button>
  )
}
