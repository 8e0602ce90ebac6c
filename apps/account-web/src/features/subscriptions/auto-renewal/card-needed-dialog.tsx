import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { DialogActions } from '@atrium/ui/dialog-actions.tsx'
import { DialogFrame } from '@atrium/ui/dialog-frame.tsx'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddCardDialog } from '../../../page/add-card/add-card-dialog.tsx'
import { cardsQuery } from '../../../page/cards.data.ts'
import { lacksDefault } from '../../../page/default-card.rules.ts'

interface Props {
  subscription: Subscription
  /** A card that pays for the subscription was added in place. */
  onAdded(paymentMethodId: string): void
  onClose(): void
}

/** Auto-renewal was not turned on, since no card would pay for it: where to change that, and what comes next. */
export function CardNeededDialog({ subscription, onAdded, onClose }: Props) {
  const [isAdding, setAdding] = useState(false)
  const { stripeSubscriptionId: sid, paidFrom } = subscription
  if (isAdding) return <AddCardDialog target={{ sid }} onAdded={onAdded} onClose={onClose} />
  if (paidFrom === 'account') return <CardOnFileNeeded subscription={subscription} onClose={onClose} />
  return <OwnCardNeeded subscription={subscription} onAdd={() => setAdding(true)} onClose={onClose} />
}

interface NeededProps {
  subscription: Subscription
  onClose(): void
}

/** Cards on file pay for it: they have a page. */
function CardOnFileNeeded({ subscription, onClose }: NeededProps) {
  const { t } = useTranslation('cards')
  const { data: cards } = useQuery(cardsQuery)
  const lacks = cards && lacksDefault(cards) ? 'noDefault' : 'noCard'
  const dialog = lacks === 'noCard' ? 'add' : undefined

  return (
    <Needed subscription={subscription} why={t(`neededForRenewal.${lacks}.why`)} onClose={onClose}>
      <Button
        data-autofocus
        renderRoot={(props) => <Link {...props} to="/account" search={{ tab: 'payment-option-management', dialog }} />}
      >
        {t(`neededForRenewal.${lacks}.action`)}
      </Button>
    </Needed>
  )
}

/** A card pays only where it is on file: it is added here. */
function OwnCardNeeded({ subscription, onAdd, onClose }: NeededProps & { onAdd(): void }) {
  const { t } = useTranslation('cards')
  const why = subscription.paidFrom === 'checkout' ? 'checkout' : 'elsewhere'

  return (
    <Needed subscription={subscription} why={t(`neededForRenewal.${why}`)} onClose={onClose}>
      <Button data-autofocus onClick={onAdd}>
        {t('neededForRenewal.noCard.action')}
      </Button>
    </Needed>
  )
}

interface FrameProps extends NeededProps {
  why: string
  children: ReactNode
}

function Needed({ subscription, why, onClose, children }: FrameProps) {
  const { t } = useTranslation('cards')
  const { t: common } = useTranslation('common')
  const locale = useLocale()
  const { appName: product, nextPlanPeriodStart, accessEnd } = subscription
  const date = formatDate(locale, new Date(nextPlanPeriodStart || accessEnd), 'UTC')

  return (
    <DialogFrame title={t('neededForRenewal.title', { product })} onClose={onClose}>
      <p>{joinSentences(locale, [why, t('neededForRenewal.charge', { date })])}</p>
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {common('close')}
        </Button>
        {children}
      </DialogActions>
    </DialogFrame>
  )
}
