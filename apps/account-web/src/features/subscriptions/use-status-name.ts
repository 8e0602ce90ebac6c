import type { SubscriptionStatus } from '@atrium/contract/subscriptions.ts'
import { useTranslation } from 'react-i18next'
import { useDictionary } from '../../page/dictionaries.data.ts'

/** The name of a state: the vendor's, if a dictionary has one, else our own. */
export function useStatusName(): (status: SubscriptionStatus) => string {
  const { t } = useTranslation('subscriptions')
  const { entries } = useDictionary('subscription-status')
  return (status) => entries?.find(({ code }) => code === status)?.name ?? t(`statuses.${status}`)
}
