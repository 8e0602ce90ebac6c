import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePage } from '../../page/page-data.ts'
import { maySell } from '../../page/shop.rules.ts'
import { dueAction } from './subscriptions.rules.ts'

/** What is open of a subscription, in words; undefined: not known, or hidden. */
export function useDueAmount({ dueAmount, currency }: Subscription): string | undefined {
  const locale = useLocale()
  return dueAmount !== undefined && currency ? formatMoney(locale, { amount: dueAmount, currency }) : undefined
}

interface PayButtonProps {
  subscription: Subscription
  isWatching: boolean
  onPay(): void
}

/** The way to pay what is open: the provider's page, or another card. */
export function PayButton({ subscription, isWatching, onPay }: PayButtonProps) {
  const { t } = useTranslation('subscriptions')
  const { locale, support } = usePage()
  const amount = useDueAmount(subscription)
  const action = dueAction(subscription, maySell(locale))
  if (action === 'card') {
    return (
      <Button
        variant="default"
        renderRoot={(props) => <Link {...props} to="/account" search={{ tab: 'payment-option-management' }} />}
      >
        {t('due.update')}
      </Button>
    )
  }
  // The amount stands in the notice; a support agent gets no addresses outside of their page.
  if (support || (action !== 'pay' && action !== 'confirm')) return null
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
