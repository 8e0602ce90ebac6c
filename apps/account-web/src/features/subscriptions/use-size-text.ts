import type { Subscription } from '@atrium/contract/subscriptions.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'

type Size = Pick<Subscription, 'userCount' | 'storageCapacity' | 'esignConnectors' | 'paidType'>

/** What people call a subscription beside its product: `12 seats · 2 connectors · Annual`. */
export function useSizeText(): (size: Size) => string {
  const { t } = useTranslation('subscriptions')
  return ({ userCount, storageCapacity, esignConnectors, paidType }) =>
    joinWithDots([
      storageCapacity > 0 ? t('storage', { count: storageCapacity }) : t('next.seats', { count: userCount }),
      ...(esignConnectors > 0 ? [t('connectors', { count: esignConnectors })] : []),
      ...(paidType === '' ? [] : [t(`terms.${paidType}`)]),
    ])
}
