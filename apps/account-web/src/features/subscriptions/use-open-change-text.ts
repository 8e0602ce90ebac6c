import type { OpenChange } from '@atrium/contract/open-changes.ts'
import { formatMoment } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { formatMoney } from '@atrium/ui/money-format.ts'
import { joinSentences } from '@atrium/ui/sentences.ts'
import { useTranslation } from 'react-i18next'

const names = {
  'buy-more': 'seats',
  'buy-connector': 'connectors',
  'switch-to-business-billing': 'upgrade',
  'switch-to-annual-billing': 'annual',
  'techsoup-renew': 'renew',
  other: 'other',
} as const satisfies Record<OpenChange['type'], string>

/** `2 more seats, $24.00.`, without the amount if its price is hidden, and until when it waits. */
export function useOpenChangeText(): (change: OpenChange) => string {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  return ({ type, isStorage, increasedNumber: count, appName: product, chargeAmount: amount, currency, expiresAt }) => {
    const name = isStorage === 1 ? 'storage' : names[type]
    const change = t(`openChange.${name}`, { count, product })
    const named =
      amount === undefined || currency === undefined
        ? t('openChange.unpriced', { change })
        : t('openChange.named', { change, amount: formatMoney(locale, { amount, currency }) })
    if (!expiresAt) return named
    return joinSentences(locale, [named, t('openChange.until', { date: formatMoment(locale, new Date(expiresAt)) })])
  }
}
