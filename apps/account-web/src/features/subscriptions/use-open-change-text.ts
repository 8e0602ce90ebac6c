import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { useTranslation } from 'react-i18next'

const names = {
  'buy-more': 'seats',
  'buy-connector': 'connectors',
  'switch-to-business-billing': 'upgrade',
  'switch-to-annual-billing': 'annual',
  'techsoup-renew': 'renew',
  other: 'other',
} as const satisfies Record<OpenChange['type'], string>

/** `2 more seats, $24.00.` */
export function useOpenChangeText(): (change: OpenChange) => string {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  return ({ type, isStorage, increasedNumber: count, appName: product, chargeAmount: amount, currency }) => {
    const name = isStorage === 1 ? 'storage' : names[type]
    const change = t(`openChange.${name}`, { count, product })
    return t('openChange.named', { change, amount: formatMoney(locale, { amount, currency }) })
  }
}
