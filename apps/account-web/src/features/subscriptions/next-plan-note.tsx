import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import classes from './subscriptions.module.css'
import { useSizeText } from './use-size-text.ts'

/** What begins with the next period, or is planned for later, and whether that waits for the customer's confirmation at PayPal. */
export function NextPlanNote({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const planText = usePlanText(subscription)
  const { nextPlan, stripeCurrentPeriodEnd, paypalRenewConfirm } = subscription
  const begins = nextPlan?.from ?? stripeCurrentPeriodEnd
  if (begins === '') return null
  const date = formatDate(locale, new Date(begins), 'UTC')
  if (nextPlan) {
    const { when, otherwise } = nextPlan
    return (
      <>
        <p className={classes.note}>{t(`next.${when}`, { date, plan: planText(nextPlan) })}</p>
        {otherwise && <p className={classes.note}>{t('next.otherwise', { plan: planText(otherwise) })}</p>}
      </>
    )
  }
  if (paypalRenewConfirm === 0) return null
  return <p className={classes.note}>{t('confirmRenewalNote', { date })}</p>
}

type Plan = Omit<NonNullable<Subscription['nextPlan']>, 'when' | 'from' | 'otherwise'>

/** Words a plan by what differs in it, and its price: `3 seats · Annual · ¥35,400`. */
function usePlanText({ appName, esignConnectors }: Subscription): (plan: Plan) => string {
  const locale = useLocale()
  const sizeText = useSizeText()
  return (plan) => {
    const { price, currency, esignConnectors: connectors } = plan
    return joinWithDots([
      ...(plan.appName === appName ? [] : [plan.appName]),
      sizeText({ ...plan, esignConnectors: connectors === esignConnectors ? 0 : connectors }),
      ...(price === undefined || !currency ? [] : [formatMoney(locale, { amount: price, currency })]),
    ])
  }
}
