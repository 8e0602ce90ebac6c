import { brandName } from '@atrium/contract/card-brands.ts'
import type { CreditCard } from '@atrium/contract/cards.ts'
import { useTranslation } from 'react-i18next'

/** `Visa •••• 4242`; the number does not wrap. */
export function useCardName(): (card: CreditCard) => string {
  const { t } = useTranslation('cards')
  return ({ card }) => `${brandName(card.brand) ?? t('unknownBrand')} ••••\u00a0${card.last4}`
}
