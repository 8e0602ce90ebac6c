import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { DialogActions, DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../../page/cards.data.ts'
import { lacksDefault } from '../../../page/default-card.rules.ts'

interface Props {
  subscription: Subscription
  onClose(): void
}

/** Auto-renewal was not turned on, since no card would pay for it: where to change that, and what comes next. */
export function CardNeededDialog({ subscription, onClose }: Props) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  const { data: cards } = useQuery(cardsQuery)
  const { appName: product, nextPlanPeriodStart, accessEnd } = subscription
  const lacks = cards && lacksDefault(cards) ? 'noDefault' : 'noCard'
  const date = formatDate(locale, new Date(nextPlanPeriodStart || accessEnd), 'UTC')

  return (
    <DialogFrame title={t('neededForRenewal.title', { product })} onClose={onClose}>
      <p>{joinSentences(locale, [t(`neededForRenewal.${lacks}.why`), t('neededForRenewal.charge', { date })])}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common('close')}
        </Button>
        <Button
          data-autofocus
          renderRoot={(props) => (
            <Link
              {...props}
              to="/account"
              search={{ tab: 'payment-option-management', dialog: lacks === 'noCard' ? 'add' : undefined }}
            />
          )}
        >
          {t(`neededForRenewal.${lacks}.action`)}
        </Button>
      </DialogActions>
    </DialogFrame>
  )
}
