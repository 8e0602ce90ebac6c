import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardName } from './card-name.ts'
import { cardsQuery } from './cards.data.ts'

/** Which card a renewal could not be charged to, as long as it is on file, and why. Nothing if neither is known. */
export function useDeclineSentences({
  declineReason,
  declinedCard,
}: Pick<Subscription, 'declineReason' | 'declinedCard'>): string[] {
  const { t } = useTranslation('problems')
  const { data } = useQuery({ ...cardsQuery, enabled: declinedCard !== '' })
  const known = data?.cardList.find(({ id }) => id === declinedCard)
  if (declineReason === '') return []
  return [
    ...(known ? [t('declined_with_card', { card: cardName(known.card) })] : []),
    t([`card_refused_${declineReason}`, 'card_refused']),
  ]
}
