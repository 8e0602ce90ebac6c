import { seatTypes } from '@atrium/contract/seat-types.ts'
import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { StatusDot } from '@atrium/ui/status-dot.tsx'
import { useTranslation } from 'react-i18next'
import { toneOfSubscription } from '../../page/subscription-status.rules.ts'
import { AutoRenewalSwitch } from './auto-renewal/auto-renewal-switch.tsx'
import { DeclinedPayerNote } from './declined-payer-note.tsx'
import { NextPlanNote } from './next-plan-note.tsx'
import { PayerNote } from './payer-note.tsx'
import { RenewalNote } from './renewal-note.tsx'
import classes from './subscriptions.module.css'
import { momentOf, passedOf } from './subscriptions.rules.ts'
import { TrialNote } from './trial-note.tsx'
import { useStatusName } from './use-status-name.ts'

interface Props {
  subscription: Subscription
  /** What it is called among the others of the list. */
  name: string
}

/** The state, where in its period it stands, and what happens next. */
export function StatusOfSubscription({ subscription, name }: Props) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const nameOf = useStatusName()
  const { stripeSubscriptionStatus: status } = subscription
  const moment = momentOf(subscription)
  const passed = passedOf(subscription, new Date())
  const isOwnTrial = status === 'trialing' && subscription.userType === seatTypes.owner && moment !== undefined
  const isEnding = moment?.kind === 'expires' && status === 'active'

  return (
    <div className={classes.status}>
      <StatusDot tone={toneOfSubscription(status)}>{nameOf(status)}</StatusDot>
      {passed !== undefined && (
        <div className={classes.timeline} data-tone={isEnding ? 'warning' : toneOfSubscription(status)} aria-hidden>
          <div style={{ width: `${Math.round(passed * 100)}%` }} />
        </div>
      )}
      {moment && (
        <p className={classes.moment} data-ending={isEnding}>
          {t(`moment.${moment.kind}`, { date: formatDate(locale, moment.date, 'UTC') })}
        </p>
      )}
      {subscription.endedUnpaid === 1 && <p className={classes.note}>{t('endedUnpaid')}</p>}
      {subscription.endsForCurrency === 1 && (
        <p className={classes.note}>{t('endsForCurrency', { currency: subscription.currency })}</p>
      )}
      {isOwnTrial && <TrialNote subscription={subscription} end={moment.date} />}
      <AutoRenewalSwitch subscription={subscription} name={name} />
      <PayerNote subscription={subscription} />
      <RenewalNote subscription={subscription} />
      <DeclinedPayerNote subscription={subscription} />
      <NextPlanNote subscription={subscription} />
    </div>
  )
}
