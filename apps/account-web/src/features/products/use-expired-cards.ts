import { brandName } from '@atrium/contract/card-brands.ts'
import type { ComingCharge } from '@atrium/contract/products.ts'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { cardsQuery } from '../../page/cards.data.ts'
import { expiredCard } from '../../page/expired-card.rules.ts'
import { usePage } from '../../page/page-data.ts'

/**
 * The charges whose card will have expired by then, that card, and a title that says so. The cards are asked for only if something will
 * be charged to one. Without an answer nothing is said of them.
 */
export function useExpiredCards(
  charges: readonly ComingCharge[],
): { charge: ComingCharge; title: string; cardId: string }[] {
  const { t } = useTranslation('products')
  const { settings } = usePage()
  const { data } = useQuery({ ...cardsQuery, enabled: settings.cards !== null && charges.length > 0 })
  if (!data) return []

  return charges.flatMap((charge) => {
    const { date, paymentMethodId } = charge
    const found = expiredCard({ chargedAt: Date.parse(date), paymentMethodId }, data)
    if (!found) return []
    const { brand, last4, expMonth, expYear } = found.card
    const card = [brandName(brand), `••••\u00a0${last4}`].filter(Boolean).join(' ')
    const month = `${String(expMonth).padStart(2, '0')}/${expYear}`
    const title = found.isExpired
      ? t('banner.card_expiring.expired', { card })
      : t('banner.card_expiring.title', { card, month })
    return [{ charge, title, cardId: found.id }]
  })
}
