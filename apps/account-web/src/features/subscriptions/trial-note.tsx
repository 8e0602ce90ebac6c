import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import { NoDefaultNote } from './no-default-note.tsx'
import classes from './subscriptions.module.css'
import { afterTrial } from './subscriptions.rules.ts'

interface Props {
  subscription: Subscription
  end: Date
}

/** What follows a trial: with something on file it is paid, without it ends. The cards are asked for only if that decides. */
export function TrialNote({ subscription, end }: Props) {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  const isOpen = subscription.payType === 'card' && afterTrial(subscription, undefined) === undefined
  const { data } = useQuery({ ...cardsQuery, enabled: isOpen })
  const next = afterTrial(subscription, data)
  const date = formatDate(locale, end, 'UTC')
  if (next === undefined) return <p className={classes.note}>{t('trial.renews')}</p>
  if (next === 'stops') return <p className={classes.note}>{t('trial.ends')}</p>
  if (next === 'noDefault' && data) return <NoDefaultNote of="trial" cards={data} date={date} />
  if (next === 'noCard') {
    return (
      <p className={classes.note}>
        {t('trial.noCard', { date })}{' '}
        <Link to="/account" search={{ tab: 'payment-option-management' }}>
          {t('trial.addCard')}
        </Link>
      </p>
    )
  }
  const { price, currency, paidType } = subscription
  if (price === undefined || !currency) return <p className={classes.note}>{t('trial.paid', { date })}</p>
  const term = t(paidType === 'yearly' ? 'per.year' : 'per.month')
  const amount = `${formatMoney(locale, { amount: price, currency })} ${term}`
  return <p className={classes.note}>{t('trial.paidFor', { date, amount })}</p>
}
