import type { CreditCard } from '@atrium/contract/cards.ts'
import { useTranslation } from 'react-i18next'
import { cardName } from '../../page/card-name.ts'

/** `Visa •••• 4242`; the number does not wrap. */
export function useCardName(): (card: CreditCard) => string {
  const { t } = useTranslation('cards')
  return ({ card }) => cardName(card, t('unknownBrand'))
}
