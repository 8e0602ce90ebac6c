import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Money } from '@atrium/ui/money.tsx'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './subscriptions.module.css'

/** What is paid in a month or a year. */
export function SubscriptionPrice({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { price, currency, paidType } = subscription
  if (price === undefined || !currency) return <span>–</span>
  const isYearly = paidType === 'yearly' || paidType === 'paid_yearly'

  return (
    <span>
      <Money amount={price} currency={currency} />{' '}
      {paidType !== '' && <span className={classes.detail}>{t(isYearly ? 'per.year' : 'per.month')}</span>}
    </span>
  )
}

/** Seats as a bar, for a subscription that has several. */
export function SubscriptionSeats({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const number = new Intl.NumberFormat(useLocale())
  const { joinCount, userCount, storageCapacity } = subscription
  if (storageCapacity > 0) return <span>–</span>
  const words = t('seatsTaken', { taken: number.format(joinCount), total: number.format(userCount) })

  return (
    <div className={classes.seats}>
      {userCount > 1 && <SeatBar taken={Math.min(joinCount, userCount)} total={userCount} />}
      <span className="figures">
        <span aria-hidden>
          {number.format(joinCount)} / {number.format(userCount)}
        </span>
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
    </div>
  )
}
