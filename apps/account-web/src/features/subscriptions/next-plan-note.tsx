import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { useTranslation } from 'react-i18next'
import classes from './subscriptions.module.css'

/** What begins with the next period at PayPal, and whether that waits for the customer's confirmation. */
export function NextPlanNote({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const plan = usePlan(subscription)
  const { nextPlan, stripeCurrentPeriodEnd, paypalRenewConfirm } = subscription
  if (stripeCurrentPeriodEnd === '') return null
  const date = formatDate(locale, new Date(stripeCurrentPeriodEnd), 'UTC')
  if (nextPlan) return <p className={classes.note}>{t(`next.${nextPlan.when}`, { date, plan })}</p>
  if (paypalRenewConfirm === 0) return null
  return <p className={classes.note}>{t('confirmRenewalNote', { date })}</p>
}

/** What differs in it, and its price: `3 seats, Annual, ¥35,400`. */
function usePlan({ nextPlan, appName, esignConnectors }: Subscription): string {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  if (!nextPlan) return ''
  const { price, currency, paidType, userCount, storageCapacity } = nextPlan
  const connectors = nextPlan.esignConnectors
  const size = storageCapacity > 0 ? t('storage', { count: storageCapacity }) : t('next.seats', { count: userCount })
  return [
    ...(nextPlan.appName === appName ? [] : [nextPlan.appName]),
    size,
    ...(connectors === esignConnectors ? [] : [t('connectors', { count: connectors })]),
    ...(paidType === '' ? [] : [t(`terms.${paidType}`)]),
    ...(price === undefined || !currency ? [] : [formatMoney(locale, { amount: price, currency })]),
  ].join(' · ')
}
