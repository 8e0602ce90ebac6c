import type { CardList } from '@atrium/contract/cards.ts'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'
import { onlyCard } from '../../page/default-card.rules.ts'
import classes from './subscriptions.module.css'

interface Props {
  of: 'trial' | 'renewal'
  cards: CardList
  /** When it ends, or would be charged. */
  date: string
}

/** There are cards, but none is the default: what follows from that, and where to choose one. */
export function NoDefaultNote({ of, cards, date }: Props) {
  const { t } = useTranslation('subscriptions')
  const only = onlyCard(cards)
  return (
    <p className={classes.note}>
      {only
        ? t(`defaultCard.notDefault.${of}`, { date, card: cardName(only.card) })
        : t(`defaultCard.noDefault.${of}`, { date })}{' '}
      <Link to="/account" search={{ tab: 'payment-option-management' }}>
        {only ? t(`defaultCard.makeDefault.${of}`) : t(`defaultCard.chooseDefault.${of}`)}
      </Link>
    </p>
  )
}
