import type { CardList } from '@atrium/contract/cards.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { onlyCard } from '../../page/default-card.rules.ts'
import classes from './subscriptions.module.css'

interface Props {
  cards: CardList
  /** When it would be charged. */
  date: string
}

/** There are cards, but none is the default: what follows from that, and where to choose one. */
export function NoDefaultNote({ cards, date }: Props) {
  const { t } = useTranslation('subscriptions')
  const only = onlyCard(cards)
  return (
    <p className={classes.note}>
      {only
        ? t('defaultCard.notDefault.renewal', { date, card: cardName(only.card) })
        : t('defaultCard.noDefault.renewal', { date })}{' '}
      <Link to="/account" search={{ tab: 'payment-option-management' }}>
        {only ? t('defaultCard.makeDefault.renewal') : t('defaultCard.chooseDefault.renewal')}
      </Link>
    </p>
  )
}
