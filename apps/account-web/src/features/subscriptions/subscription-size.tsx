import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { Money } from '@atrium/ui/money.tsx'
import { SeatBar } from '@atrium/ui/seat-bar.tsx'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './subscriptions.module.css'

/** What is paid, for which term, and what is in it. */
export function SubscriptionPrice({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { price, currency, paidType } = subscription
  const size = useSize(subscription)
  const term = paidType === '' ? [] : [t(`terms.${paidType}`)]
  const isYearly = paidType === 'yearly' || paidType === 'paid_yearly'

  return (
    <div className={classes.price}>
      {price !== undefined && currency ? (
        <span>
          <Money amount={price} currency={currency} />{' '}
          {paidType !== '' && <span className={classes.detail}>{t(isYearly ? 'per.year' : 'per.month')}</span>}
        </span>
      ) : (
        <span>–</span>
      )}
      <span className={classes.detail}>{joinWithDots([...term, ...size])}</span>
    </div>
  )
}

/** Beside the seats, which have a column of their own. */
function useSize({ storageCapacity, esignConnectors }: Subscription): string[] {
  const { t } = useTranslation('subscriptions')
  return [
    ...(storageCapacity > 0 ? [t('storage', { count: storageCapacity })] : []),
    ...(esignConnectors > 0 ? [t('connectors', { count: esignConnectors })] : []),
  ]
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
      <span className="figures">
        <span aria-hidden>
          {number.format(joinCount)} / {number.format(userCount)}
        </span>
        <VisuallyHidden>{words}</VisuallyHidden>
      </span>
      {userCount > 1 && <SeatBar taken={Math.min(joinCount, userCount)} total={userCount} />}
    </div>
  )
}
