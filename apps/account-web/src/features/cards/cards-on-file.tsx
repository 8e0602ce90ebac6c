import type { CardList, CreditCard } from '@atrium/contract/cards.ts'
import { CardGrid } from '@atrium/ui/card-grid.tsx'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { declinedPayer } from '../../page/declined-payer.rules.ts'
import type { OpenDialog } from './card-dialogs.tsx'
import { CardOnFile } from './card-on-file.tsx'
import { declinedQuery } from './overdue.data.ts'

interface Props extends CardList {
  onOpen(dialog: OpenDialog): void
  onSetDefault(paymentMethodId: string): void
  onPreload(): void
}

export function CardsOnFile({ cardList, defaultPaymentID, onOpen, onSetDefault, onPreload }: Props) {
  const { t } = useTranslation('cards')
  const { data: subscriptions = [] } = useQuery(declinedQuery)
  const declinedOf = ({ id }: CreditCard) =>
    subscriptions.find((one) => declinedPayer(one, { defaultPaymentID })?.cardId === id)

  return (
    <CardGrid label={t('list')}>
      {cardList.map((card) => (
        <CardOnFile
          key={card.id}
          card={card}
          isDefault={card.id === defaultPaymentID}
          declined={declinedOf(card)}
          onEdit={() => onOpen({ name: 'edit', card, isNew: false })}
          onReplace={() => onOpen({ name: 'replace', card })}
          onRemove={() => onOpen({ name: 'remove', card })}
          onSetDefault={() => onSetDefault(card.id)}
          onPreload={onPreload}
        />
      ))}
    </CardGrid>
  )
}
