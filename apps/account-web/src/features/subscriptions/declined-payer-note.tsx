import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { cardsQuery } from '../../page/cards.data.ts'
import { declinedPayer } from '../../page/declined-payer.rules.ts'
import classes from './subscriptions.module.css'

/** What is paid with another card on the invoice's page leaves the renewals with the one that was declined. */
export function DeclinedPayerNote({ subscription }: { subscription: Subscription }) {
  const { t } = useTranslation('subscriptions')
  const { t: problems } = useTranslation('problems')
  const locale = useLocale()
  const { data } = useQuery({ ...cardsQuery, enabled: subscription.lastDecline !== undefined })
  const declined = declinedPayer(subscription, data)
  if (!declined) return null

  const date = formatDate(locale, new Date(declined.at), 'UTC')
  return (
    <p className={classes.note}>
      {problems('declined_next', { card: cardName(declined), date })}{' '}
      <Link to="/account" search={{ tab: 'payment-option-management' }}>
        {t('due.update')}
      </Link>
    </p>
  )
}
