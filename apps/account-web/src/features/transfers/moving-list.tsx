import type { Moved, Moving, Staying, Transferable } from '@atrium/contract/transfers.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'
import { useDroppedPlanText } from '../../page/use-dropped-plan-text.ts'
import classes from './transfers.module.css'

interface Props {
  title: string
  moving: readonly (Moving | Moved)[]
}

/** The subscriptions that move, or have moved, each with what becomes of it. */
export function MovingList({ title, moving }: Props) {
  const { t } = useTranslation('transfers')
  const locale = useLocale()
  const size = useSize()
  const droppedText = useDroppedPlanText()
  const day = (instant: string) => (instant === '' ? '' : formatDate(locale, new Date(instant), 'UTC'))
  return (
    <section className={classes.list}>
      <h3>{title}</h3>
      <ul>
        {moving.map((one) => (
          <li key={one.stripeSubscriptionId}>
            <span className={classes.product}>{one.appName}</span>
            <span className={classes.detail}>{size(one)}</span>
            {'plannedChange' in one && one.plannedChange && (
              <span className={classes.dropped}>{droppedText(one.plannedChange)}</span>
            )}
            <span className={classes.fate}>{t(`fate.${one.fate}`, { date: day(one.until) })}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Subscriptions that do not move, each with the reason, and what belongs to the account itself. */
export function StayingList({ title, staying }: { title: string; staying: readonly Staying[] }) {
  const { t } = useTranslation('transfers')
  const size = useSize()
  return (
    <section className={classes.list}>
      <h3>{title}</h3>
      <ul>
        {staying.map((one) => (
          <li key={one.stripeSubscriptionId}>
            <span className={classes.product}>{one.appName}</span>
            <span className={classes.detail}>{size(one)}</span>
            <span className={classes.fate}>{t(`staying.${one.reason}`)}</span>
          </li>
        ))}
        <li>{t('others')}</li>
      </ul>
    </section>
  )
}

function useSize() {
  const { t } = useTranslation('transfers')
  const { t: sizes } = useTranslation('subscriptions')
  return ({ userCount, storageCapacity, esignConnectors, parentName, isTrial }: Transferable) =>
    joinWithDots([
      storageCapacity > 0 ? sizes('storage', { count: storageCapacity }) : t('seats', { count: userCount }),
      ...(esignConnectors > 0 ? [sizes('connectors', { count: esignConnectors })] : []),
      ...(isTrial === 1 ? [sizes('statuses.trialing')] : []),
      ...(parentName === '' ? [] : [sizes('addOn', { product: parentName })]),
    ])
}
