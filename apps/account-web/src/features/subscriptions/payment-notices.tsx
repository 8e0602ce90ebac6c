import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Notice } from '@atrium/ui/notice.tsx'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { showFailure, showSuccess } from '@atrium/ui/success.ts'
import { returnLostFocus } from '@atrium/ui/use-return-focus.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadablePart } from '../../page/loadable-part.tsx'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { useDeclineSentences } from '../../page/use-decline-sentences.ts'
import { usePaymentWatch } from '../../page/use-payment-watch.ts'
import { PayButton, useDueAmount } from './pay-button.tsx'
import { dueAction, isChangeWaiting, isDue, paymentOutcome } from './subscriptions.rules.ts'
import { useNameOf } from './use-name-of.ts'

const DueOrders = loadablePart(async () => (await import('./due-orders.tsx')).DueOrders)
const WaitingChange = loadablePart(async () => (await import('./waiting-change.tsx')).WaitingChange)

/** What could not be charged, what follows from it, and what to do now. */
export function PaymentNotices({ subscriptions }: { subscriptions: readonly Subscription[] }) {
  const due = subscriptions.filter(isDue)
  const { isWatching, watch, forget } = useWatchedPayments(subscriptions)
  const nameOf = useNameOf()

  return (
    <>
      {due.map((subscription) => (
        <PaymentNotice
          key={subscription.stripeSubscriptionId}
          subscription={subscription}
          name={nameOf(subscription, subscriptions)}
          isWatching={isWatching(subscription)}
          onPay={() => watch(subscription)}
        />
      ))}
      {subscriptions.filter(isChangeWaiting).map((subscription) => (
        <WaitingChange
          key={subscription.stripeSubscriptionId}
          subscription={subscription}
          name={nameOf(subscription, subscriptions)}
          isWatching={isWatching(subscription)}
          onPay={() => watch(subscription)}
          onDropped={() => forget(subscription)}
        />
      ))}
    </>
  )
}

/** Says so when a payment that the customer went to make is here: its notice, which had the focus, is gone then. */
function useWatchedPayments(subscriptions: readonly Subscription[]) {
  const { t } = useTranslation('subscriptions')
  const { isWatching, watch } = usePaymentWatch('subscriptions')
  const [watched, setWatched] = useState<readonly Subscription[]>([])
  const isWatched = ({ stripeSubscriptionId: id }: Subscription) =>
    watched.some((one) => one.stripeSubscriptionId === id)

  useEffect(() => {
    for (const before of watched) {
      const now = subscriptions.find((one) => one.stripeSubscriptionId === before.stripeSubscriptionId)
      const outcome = now && paymentOutcome(before, now)
      if (!outcome) continue
      setWatched((all) => all.filter((one) => one !== before))
      if (outcome === 'received') showSuccess(t('due.received', { product: now.appName }), 8000)
      if (outcome === 'notMade') showFailure(t('due.notMade', { product: now.appName }))
      returnLostFocus(null)
    }
  }, [subscriptions, watched, t])

  return {
    isWatching: (subscription: Subscription) => isWatching && isWatched(subscription),
    watch(subscription: Subscription) {
      if (!isWatched(subscription)) setWatched((all) => [...all, subscription])
      watch()
    },
    /** Its end is said where the customer brought it about. */
    forget({ stripeSubscriptionId: id }: Subscription) {
      setWatched((all) => all.filter((one) => one.stripeSubscriptionId !== id))
    },
  }
}

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
  isWatching: boolean
  onPay(): void
}

function PaymentNotice({ subscription, name, isWatching, onPay }: Props) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const sentences = useSentences(subscription)
  const { locale: shown } = usePage()
  const { dueOrders, currency } = subscription
  const isPayable = dueAction(subscription, maySell(shown)) === 'pay'
  const title = subscription.whetherHiddenPrice === 1 ? 'due.partnerTitle' : 'due.title'

  return (
    <Notice
      tone="bad"
      title={t(title, { product: name })}
      // Each of several invoices has a button of its own.
      action={
        !(dueOrders && isPayable) && <PayButton subscription={subscription} isWatching={isWatching} onPay={onPay} />
      }
    >
      {subscription.needsConfirmation === 1 && <div>{t('due.bank')}</div>}
      {joinSentences(locale, sentences)}
      {dueOrders && currency && <DueOrders orders={dueOrders} {...{ currency, isPayable, isWatching, onPay }} />}
      <div aria-live="polite">{isWatching && t('due.checking')}</div>
    </Notice>
  )
}

function useSentences(subscription: Subscription): string[] {
  const { t } = useTranslation('subscriptions')
  const { locale: shown } = usePage()
  const locale = useLocale()
  const { nextPaymentAttempt, accessEnd, isExpiring, needsConfirmation, whetherHiddenPrice, dueOrders, isHeldBack } =
    subscription
  const isPastDue = subscription.stripeSubscriptionStatus === 'past_due'
  const action = dueAction(subscription, maySell(shown))
  const amount = useDueAmount(subscription)
  const declined = useDeclineSentences(subscription)
  // As in emails and orders, which both people of a conversation may read.
  const day = (instant: string) => formatDate(locale, new Date(instant), 'UTC')
  return [
    ...(needsConfirmation === 1 ? [] : declined),
    ...(amount && isPastDue && (action !== 'pay' || dueOrders) ? [t('due.amount', { amount })] : []),
    ...(nextPaymentAttempt === '' || needsConfirmation === 1
      ? []
      : [t('due.retry', { date: day(nextPaymentAttempt) })]),
    ...(isExpiring === 1 ? [t('due.access', { date: day(accessEnd) })] : []),
    ...(isExpiring === 1 && isHeldBack === 1 ? [t('due.added')] : []),
    ...(isExpiring === 1 && nextPaymentAttempt === '' ? [t('due.ends')] : []),
    ...(action === 'pay' ? [t('due.otherCard')] : []),
    ...(action === 'paypal' || action === 'card' ? [t(`due.${action}`)] : []),
    ...(whetherHiddenPrice === 1 ? [t('due.partner')] : []),
  ]
}
