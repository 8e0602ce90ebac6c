import type { PlannedChange } from '@atrium/contract/planned-changes.ts'
import { formatDate } from '@atrium/ui/date-format.ts'
import { useLocale } from '@atrium/ui/locale.ts'
import { joinWithDots } from '@atrium/ui/unbroken.ts'
import { useTranslation } from 'react-i18next'

/** `A change is planned for May 3, 2027: 8 seats. It will be dropped.` */
export function useDroppedPlanText(): (planned: PlannedChange) => string {
  const { t } = useTranslation('subscriptions')
  const locale = useLocale()
  return ({ from, appName, userCount, storageCapacity, esignConnectors, paidType }) => {
    const plan = joinWithDots([
      ...(appName === undefined ? [] : [appName]),
      ...(userCount === undefined ? [] : [t('next.seats', { count: userCount })]),
      ...(storageCapacity === undefined ? [] : [t('storage', { count: storageCapacity })]),
      ...(esignConnectors === undefined ? [] : [t('connectors', { count: esignConnectors })]),
      ...(paidType === undefined ? [] : [t(`terms.${paidType}`)]),
    ])
    return t('next.dropped', { date: formatDate(locale, new Date(from), 'UTC'), plan })
  }
}
